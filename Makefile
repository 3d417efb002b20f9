# What people do here; each target says what it is for in the comment after ##.

SWIFT ?= swift
# Everything that is formatted: what is there of it.
SWIFT_FILES := Package.swift $(wildcard Sources Tests Benchmarks)
# Where `make install` puts things; a package sets all of them.
PREFIX ?= /usr/local
DESTDIR ?=
SYSCONFDIR ?= /etc
# Where systemd looks for units; below PREFIX if it looks there.
UNITDIR ?=
USERUNITDIR ?=
export PREFIX DESTDIR SYSCONFDIR UNITDIR USERUNITDIR
# What `make demo` fetches instead of its own choice; separated by blanks.
URLS ?=
export URLS

.DEFAULT_GOAL := help
.PHONY: help deps test-deps build test lint docs sentences format demo evaluate crowds variations torture torture-sources torture-folder torture-endings simulate fuzz fuzz-parsers sanitize bench bench-deps test-gallery \
	release install uninstall deb image test-image test-reproducible test-debian test-system test-fleet bench-fleet

help: ## Lists these targets
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  %-17s %s\n' "$$name" "$$text"; done

deps: ## Installs the Debian packages that the programs are built from
	@scripts/install-packages

test-deps: ## Installs also those that the tests take
	@scripts/install-packages test

build: deps ## Builds everything for debugging
	$(SWIFT) build

test: test-deps ## Checks the formatting, builds, and runs all tests
	@scripts/install-schemathesis
	@scripts/install-feedparser
	@scripts/install-moto
	@scripts/install-readers
	@scripts/install-bugsink
	$(MAKE) --no-print-directory lint
	$(SWIFT) build --build-tests
	@scripts/test

lint: test-deps ## Checks the formatting, the page's types, and that manifest, imports and map agree
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
	@scripts/format-page --check
	tsc --project Sources/Clients/facefetch-gallery/Page/jsconfig.json
	@scripts/check-house

docs: build ## Writes docs/reference anew, from what the programs say of themselves
	@scripts/build-manual --markdown docs/reference "$$($(SWIFT) build --show-bin-path)"

sentences: ## Prints every sentence that the programs can say
	@scripts/list-sentences

format: ## Formats in place
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_FILES)
	@scripts/format-page

demo: deps ## Downloads some pictures, counts the faces in them and shows both (URLS="…" for your own, GALLERY=0)
	@scripts/build-release facefetchd facefetch facefetch-detector facefetch-lister facefetch-gallery test-origin
	@scripts/demo

evaluate: deps ## Measures the face detectors on labelled photographs (PHOTOS=folder MODEL="FILE…" WIDER=labels CURVE=png JSON=1)
	@$(if $(CURVE),scripts/install-packages evaluate)
	@scripts/build-release evaluate
	@$$($(SWIFT) build --configuration release --show-bin-path)/evaluate \
		"$(or $(PHOTOS),../shared/photos)" $(foreach file,$(MODEL),--model "$(file)") \
		$(if $(WIDER),--wider "$(WIDER)") $(if $(CURVE),--curve "$(CURVE)") $(if $(JSON),--json)

crowds: ## Makes crowds to measure with out of labelled photographs (PHOTOS=folder OUT=folder SEED=1)
	@scripts/install-packages evaluate
	@/usr/bin/python3 Benchmarks/Python/crowds.py "$(or $(PHOTOS),../shared/photos)" \
		"$(or $(OUT),.build/crowds)" --seed "$(or $(SEED),1)"

variations: ## Makes many pictures to count false faces in out of few labelled photographs (PHOTOS=folder OUT=folder SEED=1)
	@scripts/install-packages evaluate
	@/usr/bin/python3 Benchmarks/Python/variations.py "$(or $(PHOTOS),../shared/photos)" \
		"$(or $(OUT),.build/variations)" --seed "$(or $(SEED),1)"

torture: test-deps ## Kills the daemon at random moments and checks its promises (KILLS=500 FILES=200 LARGEST=65536 SEED=… LAYOUT='{host}/{sha2}' RATE='20 MB' PAUSES=1; STORM=1 SECONDS=600 steers it at random, RANGES=1 FILES=2000 answers ranges in fifty ways)
	$(SWIFT) build --build-tests
ifneq ($(or $(STORM),$(RANGES)),)
	@for seed in $(or $(SEED),1 2 3); do \
		SEED=$$seed STORM_SECONDS=$(or $(SECONDS),600) RANGE_FILES=$(or $(FILES),2000) $(SWIFT) test --skip-build \
			--filter '$(if $(STORM),StormTests)$(if $(RANGES),$(if $(STORM),|)RangeFuzzTests)' || exit 1; done
else
	KILLS="$(or $(KILLS),500)" FILES="$(or $(FILES),200)" LARGEST="$(LARGEST)" SEED="$(SEED)" LAYOUT="$(LAYOUT)" \
		RATE="$(RATE)" PAUSES="$(PAUSES)" \
		$(SWIFT) test --skip-build --filter TortureTests
endif

torture-sources: test-deps ## Kills the daemon while a source walks a list that shifts (KILLS=200 PAGES=500 ITEMS=20000)
	$(SWIFT) build --build-tests
	SOURCE_KILLS="$(or $(KILLS),200)" SOURCE_PAGES="$(or $(PAGES),500)" SOURCE_ITEMS="$(or $(ITEMS),20000)" \
		$(SWIFT) test --skip-build --filter SourceTortureTests

torture-folder: test-deps ## Kills the daemon while it takes lists from a folder (KILLS=50 LISTS=300)
	$(SWIFT) build --build-tests
	WATCH_KILLS="$(or $(KILLS),50)" WATCH_LISTS="$(or $(LISTS),300)" \
		$(SWIFT) test --skip-build --filter FolderTests/survivesKills

torture-endings: test-deps ## Kills the daemon and a follower of what jobs come to, and sees that each is handled (KILLS=50 ENDINGS=20000)
	$(SWIFT) build --build-tests
	FACEFETCH_KILLS="$(or $(KILLS),50)" FACEFETCH_ENDINGS="$(or $(ENDINGS),20000)" \
		$(SWIFT) test --skip-build --no-parallel --filter 'FollowingTests/killed|OnTests/torture'

simulate: ## Lives through simulated weeks of the engine (SEEDS=100 SEED=1 DAYS=30 JOBS=500 STORY=1 SCENARIO=FILE FAIRNESS=1 QUICK=1 WANT='edge done → stored')
	$(SWIFT) build --build-tests
	@SIMULATE_SEEDS="$(or $(SEEDS),$(if $(SEED)$(SCENARIO),1,100))" SIMULATE_SEED="$(or $(SEED),1)" \
		SIMULATE_DAYS="$(or $(DAYS),30)" SIMULATE_JOBS="$(or $(JOBS),500)" $(if $(STORY),SIMULATE_STORY=1) \
		$(if $(FAIRNESS),SIMULATE_FAIRNESS=1) $(if $(QUICK),SIMULATE_QUICK=1) \
		$(if $(WANT),SIMULATE_WANT="$(WANT)") $(if $(SCENARIO),SIMULATE_SCENARIO="$(SCENARIO)") \
		$(SWIFT) test --skip-build --filter 'LongSimulation$(if $(FAIRNESS),|SceneTests)'

test-fleet: ## Kills, freezes and cuts off a fleet's daemons, agents and database while it works (SECONDS=300 SEED=1 NODES=4 JOBS=20000 HOSTS=200 ITEMS=3000 DOCUMENTS=local|path|s3 TROUBLES=killer,… OR_SKIP=1)
	@scripts/install-packages fleet$(if $(OR_SKIP), || true)
	$(SWIFT) build --product facefetchd
	$(SWIFT) build --product facefetch-detector
	$(SWIFT) build --product facefetch-fleet
	$(SWIFT) build --product facefetch-lister
	$(SWIFT) build --product facefetch
	$(if $(filter s3,$(DOCUMENTS)),scripts/install-moto)
	FACEFETCH_BIN="$$($(SWIFT) build --show-bin-path)" Tests/Fleet/chaos.py --seconds $(or $(SECONDS),300) \
		--seed $(or $(SEED),1) --nodes $(or $(NODES),4) --jobs $(or $(JOBS),20000) --hosts $(or $(HOSTS),200) \
		--documents $(or $(DOCUMENTS),local) $(if $(OR_SKIP),--or-skip)
	FACEFETCH_BIN="$$($(SWIFT) build --show-bin-path)" Tests/Fleet/restores.py $(if $(OR_SKIP),--or-skip)
	FACEFETCH_BIN="$$($(SWIFT) build --show-bin-path)" Tests/Fleet/troubles.py \
		$(if $(TROUBLES),--only $(TROUBLES)) $(if $(OR_SKIP),--or-skip)
	FACEFETCH_BIN="$$($(SWIFT) build --show-bin-path)" Tests/Fleet/feeding.py --seed $(or $(SEED),1) \
		--seconds $(or $(SECONDS),60) --items $(or $(ITEMS),3000) $(if $(OR_SKIP),--or-skip)

bench-fleet: ## Measures a fleet, with the release programs (PARTS="add claims scale outage tiny nodes rows snapshot" NODES=50 RATE=100 ROWS=1000000)
	@scripts/install-packages fleet
	@scripts/build-release facefetchd facefetch facefetch-fleet
	FACEFETCH_BIN="$$($(SWIFT) build -c release --show-bin-path)" NODES=$(or $(NODES),50) RATE=$(or $(RATE),100) \
		ROWS=$(or $(ROWS),1000000) Tests/Fleet/measure.py $(PARTS)

test-gallery: test-deps ## Tests the gallery in a real browser (DOCUMENTS=100000 SCREENSHOTS=folder QUIET_MACHINE=1 OR_SKIP=1)
	$(SWIFT) build
	@scripts/test-gallery $(if $(OR_SKIP),--or-skip)

fuzz: test-deps ## Sends broken pictures through a running daemon (PICTURES=10000 SEED=…)
	$(SWIFT) build --build-tests
	PICTURES="$(or $(PICTURES),10000)" SEED="$(SEED)" \
		$(SWIFT) test --skip-build --filter 'FuzzTests|RefusedOpenTests'

fuzz-parsers: test-deps ## Lets libFuzzer loose on what reads foreign bytes (MINUTES=1 ONLY="urls settings …")
	@scripts/fuzz-parsers $(ONLY)

sanitize: test-deps ## Runs tests under the address, undefined-behaviour and thread sanitizers (takes long)
	@scripts/sanitize

bench-deps: deps ## Installs what facefetch is measured beside: aria2, curl, cv2, pyvips, wget2
	@scripts/install-packages bench
	@scripts/install-pyvips

bench: bench-deps ## Measures it beside others (ONLY=small,disk,names,folders,polite,large,slow,line,pauses,processor,queue,million,steering,sources,subscribers,text,faces,pyvips,giant,thumbnails,overlap,export,fingerprints,search,copies,reports,dead RUNS=5 LOOPS=5 DISK=folder CONGESTION=cubic …)
	@scripts/build-release facefetchd facefetch facefetch-detector facefetch-lister bench
	@$$($(SWIFT) build --configuration release --show-bin-path)/bench

release: deps ## Builds the programs as they are installed, with man pages and completions
	@scripts/fetch-photoswipe
	@scripts/build-release facefetchd facefetch facefetch-detector facefetch-lister facefetch-gallery facefetch-fleet
	@scripts/build-share

install: ## Installs what `make release` has built (PREFIX=/usr/local DESTDIR=)
	@scripts/install-files install

uninstall: ## Takes that away again; documents, jobs and settings stay (PREFIX= DESTDIR=)
	@scripts/install-files uninstall

# This machine's own release needs no root of its own.
ifeq ($(filter-out $(shell . /etc/os-release && echo "$$VERSION_CODENAME"),$(DIST)),)
deb: release ## Makes the packages for this release of Debian in .build/package (DIST=trixie for another's, as root)
	@scripts/install-packages deb
	@scripts/build-package
else
deb:
	@scripts/in-debian $(DIST) make --no-print-directory deb
	@mkdir -p .build/package
	@cp .build-$(DIST)/build/package/*.deb .build/package
endif

image: deb ## Writes a container image of that package, as .build/package/facefetch-VERSION.oci.tar (as root; DIST= as for deb)
	@scripts/install-packages image
	@scripts/build-image $(DIST)

test-image: ## Starts the image that `make image` has written, as an engine of containers would, and uses it (as root)
	@scripts/install-packages image
	$(SWIFT) build --product test-origin
	@scripts/test-drop-usrmerge
	@scripts/test-image

test-reproducible: test-deps ## Makes the packages from two clones in two folders, and compares the bytes (takes long)
	@scripts/test-reproducible

test-debian: ## Builds everything on another release of Debian, and runs the tests that its libraries decide (DIST=trixie, as root; PROGRAMS=1 only builds the programs, OR_SKIP=1)
	@scripts/test-debian $(or $(DIST),trixie)

test-system: ## Installs the package, and without one, in a container with a real systemd, and tests it there (root only; DIST=trixie, OLDER=FILE.deb to upgrade from)
	@scripts/test-system
