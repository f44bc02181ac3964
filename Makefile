# Needs GNU make and Python 3.11 or newer; everything else goes into .venv.
# Another interpreter: make setup PYTHON=python3.12

PYTHON ?= python3
export PYTHON

SIZE ?= reduced

ready := .venv/ready
bin := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup verify gate picture test suite quick thorough coverage docs lint bench mutants explore exhaustive clean

help:
	@echo 'make setup    .venv with gomboc in it (a second call costs nothing)'
	@echo 'make verify   simulate the skip ring 200 times, replay every trace against its specification, and write a report'
	@echo 'make gate     what [tool.gomboc] of pyproject.toml asks for: simulate, judge, explore, prove and settle the skip ring'
	@echo 'make picture  the picture of the README, made anew'
	@echo 'make test     lint, and every test'
	@echo 'make quick    lint what changed since the last commit, and run the tests that mirror it'
	@echo 'make test-AREA  the tests below tests/AREA: make test-spec/protocols/chord'
	@echo 'make coverage  every test, and the branch coverage of each folder'
	@echo 'make docs     the API, from its docstrings, into build/docs'
	@echo 'make thorough  every test, the dear ones too, with six times as many examples of each property: an hour'
	@echo 'make lint     ruff and mypy --strict'
	@echo 'make bench    steps per second of simulation and replay; SIZE=full takes hours; BEFORE=DIR, an older tree, writes the page'
	@echo 'make mutants  change a line at a time, of rules, lemmas and all else, and see each change caught: an hour'
	@echo 'make explore  every state and schedule of small systems, held against what is recorded'
	@echo 'make exhaustive  the large ones too: an hour each at most, and up to 16 GB'
	@echo 'make clean    remove .venv, build and caches'

setup: $(ready)

$(ready): pyproject.toml constraints.txt .ci/setup
	@sh .ci/setup
	@touch $@

verify: setup
	$(bin)/gomboc simulate skip_ring --traces 200 --nodes 1..16 --start arbitrary --seed 1 --output build/verify/traces --overwrite
	$(bin)/gomboc replay build/verify/traces --engine spark --output build/verify/verdicts --overwrite
	$(bin)/gomboc report build/verify/verdicts build/verify/traces/skip_ring-000007.jsonl --output build/verify/report.html --overwrite

gate: setup
	$(bin)/gomboc gate

picture: setup
	$(bin)/gomboc simulate skip_ring --nodes 8 --seed 7 --output build/picture --overwrite
	$(bin)/gomboc report build/picture/skip_ring-000000.jsonl --output spec/protocols/skip_ring/righting.svg --overwrite

# Side by side: of two cores, the linters need one.
test: setup
	@$(MAKE) --no-print-directory --jobs=2 lint suite

# Bytecode is kept, whatever the environment says: processes that begin anew are most of what some tests do.
suite thorough: export PYTHONDONTWRITEBYTECODE =
# One process more than there are cores: some tests wait, for Java or for the end of what they have killed.
suite: setup
	$(bin)/python -m pytest --numprocesses=$$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist=loadgroup --no-loadscope-reorder

quick: setup
	$(bin)/python -m tests.quick

test-%: setup
	$(bin)/python -m pytest --numprocesses=2 --dist=loadgroup --no-loadscope-reorder tests/$*

coverage: setup
	$(bin)/python -m pytest --numprocesses=auto --dist=loadgroup --no-loadscope-reorder --cov --cov-report=
	@for folder in spec impl checker; do \
		echo "$$folder: $$($(bin)/coverage report --include="$$folder/*" --format=total) % of lines and branches"; \
	done

docs: setup
	$(bin)/pdoc --no-show-source gomboc.spec gomboc.impl gomboc.checker --output-directory build/docs
	@echo 'Open build/docs/gomboc.html.'

thorough: lint
	THOROUGH=yes $(bin)/python -m pytest --numprocesses=auto --dist=loadgroup --no-loadscope-reorder

lint: setup
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy --strict

bench: setup
	$(bin)/python -m tests.bench --size $(SIZE) $(if $(BEFORE),--before $(BEFORE) --page)

mutants: setup
	$(bin)/python -m tests.mutants

explore: setup
	$(bin)/gomboc explore chord --recorded
	$(bin)/gomboc explore delta_fault_tolerance --recorded
	$(bin)/gomboc explore dissemination --recorded
	$(bin)/gomboc explore hyparview --recorded
	$(bin)/gomboc explore scribe --recorded
	$(bin)/gomboc explore skip_plus --recorded
	$(bin)/gomboc explore skip_ring --recorded
	$(bin)/gomboc explore topic_directory --recorded

exhaustive: setup
	$(bin)/gomboc explore chord --recorded --exhaustive
	$(bin)/gomboc explore delta_fault_tolerance --recorded --exhaustive
	$(bin)/gomboc explore dissemination --recorded --exhaustive
	$(bin)/gomboc explore hyparview --recorded --exhaustive
	$(bin)/gomboc explore scribe --recorded --exhaustive
	$(bin)/gomboc explore skip_plus --recorded --exhaustive
	$(bin)/gomboc explore skip_ring --recorded --exhaustive --seconds 3600 --memory 16000
	$(bin)/gomboc explore topic_directory --recorded --exhaustive

clean:
	rm -rf .venv build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
