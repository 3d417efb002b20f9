// swift-tools-version: 6.2

import PackageDescription

// Warnings are errors for who works on the source, and only there: a newer compiler or library that
// deprecates something must not keep anybody from building a release.
let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error, .when(configuration: .debug)),
    .enableUpcomingFeature("ExistentialAny"),
]
let c: [CSetting] = [
    .define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra"]),
    .unsafeFlags(["-Werror"], .when(configuration: .debug)),
]
// Where scripts/unpack-headers puts headers whose packages bring too much, and links to their libraries. Where
// those packages are installed, their headers are found before, and nothing needs to be there.
let unpacked = Context.packageDirectory + "/.build/unpacked"
let unpackedLibraries: [LinkerSetting] = [.unsafeFlags(["-L", unpacked + "/lib"])]
let cxx: [CXXSetting] = [
    .unsafeFlags([
        "-Wall", "-Wextra", "-isystem", "/usr/include/opencv4", "-idirafter", unpacked + "/include",
    ]),
    .unsafeFlags(["-Werror"], .when(configuration: .debug)),
]
// libvips' headers include GLib's, one of which lies beside the libraries.
// pkg-config knows where, but adds -pthread, which the package manager objects
// to every time that it looks.
#if arch(arm64)
    let libraries = "/usr/lib/aarch64-linux-gnu"
#else
    let libraries = "/usr/lib/x86_64-linux-gnu"
#endif
let swiftWithVips =
    swift + [
        .unsafeFlags([
            "-Xcc", "-isystem", "-Xcc", "/usr/include/glib-2.0",
            "-Xcc", "-isystem", "-Xcc", libraries + "/glib-2.0/include",
            "-Xcc", "-idirafter", "-Xcc", unpacked + "/include",
        ])
    ]

// What makes and serves the tests' pictures and files goes byte by byte, which takes ten times as long
// where nothing is optimized. What reads and writes each event and job does so, too, and what changes
// pixels. Nothing there has assertions that this leaves out.
let fast: [SwiftSetting] = [.unsafeFlags(["-O"])]
let fastCxx: [CXXSetting] = [.unsafeFlags(["-O2"])]

// For what reads the settings and puts the daemon's parts together, which is called once for each event or job at most.
// Without optimization, a start takes 4 ms more, and the release build 16 s less of its 600 s of processor, half of them
// at its end, where there is nothing else left to compile.
let atStart: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

// The products of the packages below, named once.
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

// What reads bytes that strangers choose.
let foreignReaders: [Target.Dependency] = [
    "ControlServer", "CurlTransfer", "DetectorProtocol", "FaceDetection", "Settings", "SourceReading",
    "SourceEngine", "Receivers", "Children", "ExportFormats", "SourceCore", "JobCore", "JobModel",
    "ControlAPI", "Vocabulary", "CCurl",
    "HTTPServer", "facefetch", "facefetch-gallery", httpTypes, nioCore, nioEmbedded, nioHTTP1,
]

// Arrows point down only, and targets on one floor don't import each other: Sources/README.md has the map.
let package = Package(
    name: "facefetch",
    products: [
        .executable(name: "facefetchd", targets: ["facefetchd"]),
        .executable(name: "facefetch", targets: ["facefetch"]),
        .executable(name: "facefetch-detector", targets: ["facefetch-detector"]),
        .executable(name: "facefetch-lister", targets: ["facefetch-lister"]),
        .executable(name: "facefetch-gallery", targets: ["facefetch-gallery"]),
        .executable(name: "facefetch-fleet", targets: ["facefetch-fleet"]),
        // For tests: preloaded into a daemon, it makes its disk fail.
        .library(name: "FaultyDisk", type: .dynamic, targets: ["FaultyDisk"]),
        // The same for connections, which it stops reading.
        .library(name: "DeafSockets", type: .dynamic, targets: ["DeafSockets"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    ],
    targets: [
        // The roof: executables that put the parts together.
        .executableTarget(
            name: "facefetchd",
            dependencies: [
                "ControlServer", "SourceEngine", "JobEngine", "Receivers", "CurlTransfer", "DocumentStore",
                "JobStore", "Children", "Sidecars", "Settings", "JobCore", "JobModel", "DetectorProtocol",
                "ControlAPI", "ExportFormats", "Vocabulary", "SmallFiles", "CLinux", "CDaemon",
                argumentParser, logging,
            ],
            path: "Sources/Daemon/facefetchd",
            swiftSettings: swift + atStart
        ),
        .executableTarget(
            name: "facefetch",
            dependencies: [
                "Sidecars", "ControlAPI", "ExportFormats", "DetectorProtocol", "Vocabulary", "SmallFiles",
                "Digests", "HTTPRequests", "CCurl", "CLinux", argumentParser,
            ],
            path: "Sources/Clients/facefetch",
            swiftSettings: swift
        ),
        .executableTarget(
            name: "facefetch-detector",
            dependencies: [
                "FaceDetection", "Confinement", "DetectorProtocol", "Vocabulary", "ControlAPI",
                "SmallFiles", "Digests", "CLinux", argumentParser,
            ],
            path: "Sources/Pictures/facefetch-detector",
            swiftSettings: swiftWithVips
        ),
        .executableTarget(
            name: "facefetch-lister",
            dependencies: [
                "SourceReading", "SourceCore", "Confinement", "Vocabulary", "ControlAPI", argumentParser,
            ],
            path: "Sources/Listing/facefetch-lister",
            swiftSettings: swift
        ),
        .executableTarget(
            name: "facefetch-gallery",
            dependencies: [
                "HTTPServer", "ControlAPI", "Vocabulary", "SmallFiles", "CLinux", httpTypes, nioCore,
                nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, nioPosix, argumentParser,
            ],
            path: "Sources/Clients/facefetch-gallery",
            exclude: ["Page"],
            swiftSettings: swift
        ),
        .executableTarget(
            name: "facefetch-fleet",
            dependencies: [
                "FleetCore", "SourceCore", "YAMLTree", "ControlAPI", "ExportFormats", "HTTPRequests",
                "Vocabulary", "SmallFiles", "Digests", "CCurl", "CPostgres", argumentParser,
            ],
            path: "Sources/Fleet/facefetch-fleet",
            swiftSettings: swift
        ),

        // Floor 4.
        .target(
            name: "ControlServer",
            dependencies: [
                "SourceEngine", "JobEngine", "SourceCore", "JobCore", "JobModel", "ControlAPI",
                "Vocabulary", "SmallFiles", "Digests", "HTTPServer", "CLinux", httpTypes, nioCore, nioHTTP1,
                nioPosix, logging,
            ],
            path: "Sources/Daemon/ControlServer",
            swiftSettings: swift + fast
        ),

        // Floor 3.
        .target(
            name: "SourceEngine",
            dependencies: [
                "JobEngine", "SourceCore", "JobModel", "Vocabulary", "SmallFiles", "Digests", "JobCore",
                logging,
            ],
            path: "Sources/Listing/SourceEngine",
            swiftSettings: swift
        ),
        .target(
            name: "Receivers",
            dependencies: [
                "CurlTransfer", "Sidecars", "JobModel", "ExportFormats", "Vocabulary", "SmallFiles",
                "Digests", "CLinux", logging,
            ],
            path: "Sources/Daemon/Receivers",
            swiftSettings: swift
        ),

        // Floor 2.
        .target(
            name: "CurlTransfer",
            dependencies: [
                "JobCore", "JobModel", "HTTPRequests", "Vocabulary", "CCurl", "CZlib", "CLinux", logging,
            ],
            path: "Sources/Daemon/CurlTransfer",
            swiftSettings: swift
        ),
        .target(
            name: "JobEngine",
            dependencies: ["JobCore", "JobModel", "Vocabulary", "CLinux", logging],
            path: "Sources/Daemon/JobEngine",
            swiftSettings: swift
        ),
        .target(
            name: "Children",
            dependencies: [
                "Vocabulary", "DetectorProtocol", "JobCore", "JobModel", "SourceCore", subprocess, system,
                logging,
            ],
            path: "Sources/Daemon/Children",
            swiftSettings: swift
        ),
        .target(
            name: "Settings",
            dependencies: ["YAMLTree", "JobModel", "ControlAPI", "Vocabulary", "SmallFiles"],
            path: "Sources/Daemon/Settings",
            swiftSettings: swift + atStart
        ),
        .target(
            name: "SourceReading",
            dependencies: ["SourceCore", "Vocabulary", "CPages", "CZlib", "CLinux", "YAMLTree"],
            path: "Sources/Listing/SourceReading",
            swiftSettings: swift
        ),
        .target(
            name: "JobStore",
            dependencies: ["JobCore", "JobModel", "Vocabulary", "CDaemon", grdb, grdbSQLite],
            path: "Sources/Daemon/JobStore",
            swiftSettings: swift + fast
        ),

        // Floor 1.
        .target(
            name: "JobCore",
            dependencies: ["JobModel", "Vocabulary"],
            path: "Sources/Jobs/JobCore",
            swiftSettings: swift + fast
        ),
        .target(
            name: "Confinement",
            dependencies: ["CSandbox"],
            path: "Sources/Base/Confinement",
            swiftSettings: swift
        ),
        .target(
            name: "HTTPRequests",
            dependencies: ["CCurl", "Digests", "Vocabulary"],
            path: "Sources/Base/HTTPRequests",
            swiftSettings: swift
        ),
        .target(
            name: "DocumentStore",
            dependencies: ["JobModel", "Vocabulary", "SmallFiles", "Digests", "CLinux"],
            path: "Sources/Daemon/DocumentStore",
            swiftSettings: swift
        ),
        .target(
            name: "FaceDetection",
            dependencies: ["DetectorProtocol", "Vocabulary", "SmallFiles", "Digests", "CPictures"],
            path: "Sources/Pictures/FaceDetection",
            swiftSettings: swiftWithVips + fast,
            linkerSettings: unpackedLibraries
        ),
        .target(
            name: "YAMLTree",
            dependencies: ["CYAMLEvents"],
            path: "Sources/Base/YAMLTree",
            swiftSettings: swift
        ),
        .target(
            name: "Sidecars",
            dependencies: ["ExportFormats", "Vocabulary", "SmallFiles", "CLinux"],
            path: "Sources/Clients/Sidecars",
            swiftSettings: swift
        ),

        // Floor 0.
        .target(
            name: "JobModel",
            dependencies: ["Vocabulary"],
            path: "Sources/Jobs/JobModel",
            swiftSettings: swift + fast
        ),
        .target(
            name: "SourceCore",
            dependencies: ["Vocabulary"],
            path: "Sources/Listing/SourceCore",
            swiftSettings: swift
        ),
        .target(
            name: "DetectorProtocol",
            dependencies: ["Vocabulary", "Digests"],
            path: "Sources/Pictures/DetectorProtocol",
            swiftSettings: swift
        ),
        .target(
            name: "FleetCore",
            dependencies: ["Vocabulary"],
            path: "Sources/Fleet/FleetCore",
            swiftSettings: swift
        ),
        .target(
            name: "ControlAPI",
            dependencies: ["Vocabulary"],
            path: "Sources/API/ControlAPI",
            swiftSettings: swift + fast
        ),
        .target(
            name: "HTTPServer",
            dependencies: [httpTypes, nioCore, nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1],
            path: "Sources/API/HTTPServer",
            swiftSettings: swift
        ),
        .target(
            name: "ExportFormats",
            dependencies: ["Vocabulary"],
            path: "Sources/Clients/ExportFormats",
            swiftSettings: swift + fast
        ),

        // The ground, which floor 0 stands on.
        .target(
            name: "Digests",
            dependencies: ["CCrypto"],
            path: "Sources/Base/Digests",
            swiftSettings: swift + fast
        ),
        .target(name: "SmallFiles", path: "Sources/Base/SmallFiles", swiftSettings: swift),
        .target(name: "Vocabulary", path: "Sources/Base/Vocabulary", swiftSettings: swift + fast),

        // Below it, the C library that it stands on itself.
        .systemLibrary(name: "CCrypto", path: "Sources/C/CCrypto", providers: [.apt(["libssl-dev"])]),

        // C libraries and shims, on floor 0.
        // libcurl's headers lie where compilers look. pkg-config of Debian 13 adds folders that the package manager
        // objects to each time.
        .systemLibrary(name: "CCurl", path: "Sources/C/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CPostgres",
            path: "Sources/C/CPostgres",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]
        ),
        .systemLibrary(
            name: "CZlib",
            path: "Sources/C/CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .target(name: "CLinux", path: "Sources/C/CLinux", cSettings: c),
        .target(
            name: "CYAMLEvents",
            path: "Sources/C/CYAMLEvents",
            cSettings: c,
            linkerSettings: [.linkedLibrary("yaml")]
        ),
        .target(
            name: "CPages",
            path: "Sources/C/CPages",
            cSettings: c,
            linkerSettings: [
                .linkedLibrary("gumbo"), .linkedLibrary("csv"), .linkedLibrary("expat"), .linkedLibrary("jq"),
            ]
        ),
        .target(
            name: "CDaemon",
            path: "Sources/C/CDaemon",
            cSettings: c,
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("systemd")]
        ),
        .target(
            name: "CPictures",
            path: "Sources/C/CPictures",
            cxxSettings: cxx + fastCxx,
            linkerSettings: unpackedLibraries + [
                .linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgproc"),
                .linkedLibrary("opencv_objdetect"), .linkedLibrary("opencv_dnn"),
                .linkedLibrary("raw_r"), .linkedLibrary("tiff"), .linkedLibrary("vips"),
                .linkedLibrary("gobject-2.0"), .linkedLibrary("glib-2.0"), .linkedLibrary("gmodule-2.0"),
            ]
        ),
        .target(
            name: "CSandbox",
            path: "Sources/C/CSandbox",
            cSettings: c,
            linkerSettings: [.linkedLibrary("seccomp")]
        ),

        // Measuring.
        .executableTarget(
            name: "evaluate",
            dependencies: ["FaceDetection", "Vocabulary", "LabelledPhotographs", argumentParser],
            path: "Benchmarks/Evaluate",
            swiftSettings: swiftWithVips
        ),
        .target(
            name: "LabelledPhotographs",
            path: "Benchmarks/LabelledPhotographs",
            swiftSettings: swift
        ),
        .executableTarget(
            name: "bench",
            dependencies: ["JobStore", "JobModel", "ControlAPI", "Vocabulary", "LabelledPhotographs", grdb],
            path: "Benchmarks/Bench",
            swiftSettings: swift
        ),

        // Tests, a target for each target, and what they share.
        .target(
            name: "TestSupport",
            dependencies: ["JobModel", "ControlAPI", "Vocabulary", "Digests", "CZlib"],
            path: "Tests/TestSupport",
            swiftSettings: swift + fast
        ),
        .target(
            name: "EngineSupport",
            dependencies: ["JobEngine", "JobStore", "JobCore", "JobModel", "Vocabulary"],
            path: "Tests/EngineSupport",
            swiftSettings: swift
        ),
        .target(
            name: "PaintedPictures",
            dependencies: ["CPictures", "FaceDetection"],
            path: "Tests/PaintedPictures",
            swiftSettings: swiftWithVips + fast
        ),
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: swift),
        .target(name: "FaultyDisk", path: "Tests/FaultyDisk", cSettings: c),
        .target(name: "DeafSockets", path: "Tests/DeafSockets", cSettings: c),
        .executableTarget(
            name: "older-kernel",
            path: "Tests/OlderKernel",
            cSettings: c,
            linkerSettings: [.linkedLibrary("seccomp")]
        ),
        .executableTarget(
            name: "test-origin",
            dependencies: ["TestSupport", "PaintedPictures", argumentParser],
            path: "Tests/TestOrigin",
            swiftSettings: swiftWithVips
        ),
        .testTarget(name: "TestTraitsTests", dependencies: ["TestTraits"], swiftSettings: swift),
        .testTarget(
            name: "SmallFilesTests",
            dependencies: ["SmallFiles", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(name: "DigestsTests", dependencies: ["Digests", "Vocabulary"], swiftSettings: swift),
        .testTarget(
            name: "VocabularyTests",
            dependencies: ["Vocabulary", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "JobCoreTests",
            dependencies: ["JobCore", "JobModel", "Vocabulary", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "JobModelTests",
            dependencies: ["JobModel", "Vocabulary", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "ControlAPITests",
            dependencies: ["ControlAPI", "Vocabulary", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "SidecarsTests",
            dependencies: ["Sidecars", "ExportFormats", "SmallFiles", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "ExportFormatsTests",
            dependencies: ["ExportFormats", "TestSupport", "TestTraits"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "facefetch-fleetTests",
            dependencies: [
                "facefetch-fleet", "FleetCore", "SourceCore", "ControlAPI", "ExportFormats", "SmallFiles",
                "Digests", "TestSupport", "TestTraits",
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "FleetCoreTests",
            dependencies: ["FleetCore", "Vocabulary"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "SourceCoreTests",
            dependencies: ["SourceCore", "Vocabulary", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(name: "YAMLTreeTests", dependencies: ["YAMLTree", "TestTraits"], swiftSettings: swift),
        .testTarget(
            name: "SourceReadingTests",
            dependencies: ["SourceReading", "SourceCore", "TestSupport", "TestTraits", "facefetch-lister"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "DetectorProtocolTests",
            dependencies: ["DetectorProtocol", "Vocabulary", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "JobEngineTests",
            dependencies: [
                "JobEngine", "JobStore", "JobCore", "JobModel", "SourceEngine", "SourceReading",
                "SourceCore", "Vocabulary", "EngineSupport", "TestSupport", "TestTraits", grdb, logging,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "SourceEngine", "SourceCore", "JobEngine", "JobStore", "JobCore", "JobModel", "Vocabulary",
                "TestSupport", grdb, logging,
            ],
            path: "Tests/Simulation",
            exclude: ["README.md"],
            swiftSettings: swift + fast
        ),
        .testTarget(
            name: "SourceEngineTests",
            dependencies: [
                "SourceEngine", "Children", "SourceCore", "JobModel", "TestSupport", "TestTraits",
                "facefetch-lister", "Vocabulary", "JobCore", "JobEngine", logging,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "CurlTransferTests",
            dependencies: [
                "CurlTransfer", "JobCore", "JobModel", "Vocabulary", "CCurl", "TestSupport", "TestTraits",
                logging,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "ReceiversTests",
            dependencies: [
                "Receivers", "CurlTransfer", "JobModel", "ExportFormats", "SmallFiles", "TestSupport",
                logging,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "HTTPRequestsTests",
            dependencies: ["HTTPRequests", "TestSupport"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTPServer", "TestSupport", httpTypes, nioCore, nioEmbedded, nioHTTP1, nioHTTPTypes,
                nioPosix,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "DocumentStoreTests",
            dependencies: [
                "DocumentStore", "JobModel", "Vocabulary", "Digests", "TestSupport", "TestTraits",
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "JobStoreTests",
            dependencies: ["JobStore", "JobCore", "JobModel", "Vocabulary", "TestSupport", grdb],
            swiftSettings: swift
        ),
        .testTarget(
            name: "ChildrenTests",
            dependencies: [
                "Children", "DetectorProtocol", "JobModel", "Vocabulary", "PaintedPictures", "TestSupport",
                "TestTraits", "facefetch-detector", "older-kernel", logging,
            ],
            swiftSettings: swiftWithVips
        ),
        .testTarget(
            name: "FaceDetectionTests",
            dependencies: [
                "FaceDetection", "DetectorProtocol", "Vocabulary", "CPictures", "Confinement", "CSandbox",
                "LabelledPhotographs", "PaintedPictures", "TestSupport", "TestTraits", "evaluate",
                "facefetch-detector", "older-kernel",
            ],
            swiftSettings: swiftWithVips
        ),
        .testTarget(
            name: "SettingsTests",
            dependencies: ["Settings", "JobModel", "Vocabulary"],
            swiftSettings: swift
        ),
        .testTarget(
            name: "ControlServerTests",
            dependencies: [
                "ControlServer", "ControlAPI", "JobCore", "JobModel", "JobEngine", "JobStore", "SourceCore",
                "SourceEngine", "Vocabulary", "SmallFiles", "Digests", "EngineSupport", "TestSupport",
                "TestTraits", httpTypes, nioCore, nioPosix, logging,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "ParserTests",
            dependencies: [.target(name: "TestSupport")] + foreignReaders,
            path: "Tests/Parsers",
            exclude: ["CFuzzer", "Corpus", "Fuzzer"],
            swiftSettings: swiftWithVips
        ),
        .testTarget(
            name: "facefetchdTests",
            dependencies: [
                "facefetchd", "CurlTransfer", "DocumentStore", "Settings", "Children", "ExportFormats",
                "JobModel", "Receivers", "Sidecars", "Vocabulary", "TestSupport", "TestTraits", logging,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "facefetchTests",
            dependencies: [
                "facefetch", "ControlAPI", "ExportFormats", "DetectorProtocol", "Vocabulary", "TestSupport",
                "TestTraits", argumentParser,
            ],
            swiftSettings: swift
        ),
        .testTarget(
            name: "facefetch-galleryTests",
            dependencies: ["facefetch-gallery", argumentParser, httpTypes, nioCore, nioHTTP1, nioPosix],
            swiftSettings: swift
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ControlAPI", "Vocabulary", "CSandbox", "DetectorProtocol", "JobCore", "JobModel",
                "JobStore", "HTTPRequests", "Digests", "TestSupport", "TestTraits", "PaintedPictures",
                "facefetchd", "facefetch", "facefetch-detector", "facefetch-gallery", "facefetch-lister",
                "test-origin", grdb,
            ],
            swiftSettings: swiftWithVips
        ),
    ],
    cxxLanguageStandard: .cxx17
)

// `make fuzz-parsers` names libFuzzer's library: the tests of what reads foreign bytes become a
// program around it, and all Swift code of ours tells it where it has been.
if let fuzzer = Context.environment["FACEFETCH_FUZZER"] {
    // Tests can look into programs, and programs can't: there these are libraries, without their `main`.
    let mains = [
        "facefetch": ["Main.swift"], "facefetch-gallery": ["Gallery.swift", "GalleryCommand.swift"],
    ]
    package.targets = package.targets.map { program in
        guard let main = mains[program.name] else { return program }
        return .target(
            name: program.name,
            dependencies: program.dependencies,
            path: program.path,
            exclude: program.exclude + main,
            swiftSettings: program.swiftSettings
        )
    }
    package.products.removeAll { mains.keys.contains($0.name) }
    package.targets.removeAll { $0.name == "ParserTests" }
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/Parsers/CFuzzer"),
        .executableTarget(
            name: "fuzz-parsers",
            dependencies: ["CFuzzer"] + foreignReaders,
            path: "Tests/Parsers",
            exclude: ["CFuzzer", "Corpus", "Replay"],
            swiftSettings: swiftWithVips,
            linkerSettings: [.unsafeFlags([fuzzer]), .linkedLibrary("stdc++"), .linkedLibrary("m")]
        ),
    ]
    for target in package.targets where target.swiftSettings != nil {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]))
    }
}

// Targets with a page about themselves, which is no source.
let described: Set<String> = [
    "Children", "ControlServer", "CurlTransfer", "DocumentStore", "FaceDetection", "JobCore", "JobEngine",
    "JobModel", "JobStore", "Receivers", "Sidecars", "SmallFiles", "SourceEngine", "Vocabulary",
    "facefetch-detector", "facefetch-fleet", "facefetch-gallery", "facefetch-lister", "facefetchd",
]
for target in package.targets where described.contains(target.name) { target.exclude.append("README.md") }

// Sanitizers make everything anew: FACEFETCH_ONLY="A B" leaves these targets and what they need.
if let only = Context.environment["FACEFETCH_ONLY"] {
    var wanted = Set(only.split(separator: " ").map(String.init))
    var isGrowing = true
    while isGrowing {
        let needed = package.targets.filter { wanted.contains($0.name) }.flatMap(\.dependencies)
            .compactMap { dependency -> String? in
                switch dependency {
                case .byNameItem(let name, _), .targetItem(let name, _): name
                default: nil
                }
            }
        isGrowing = !wanted.isSuperset(of: needed)
        wanted.formUnion(needed)
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll { product in !wanted.contains(product.name) }
}
