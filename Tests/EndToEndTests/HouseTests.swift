import TestSupport
import TestTraits
import Testing

@Suite(
    "The check that manifest, imports and map agree",
    .enabled(if: Repository.python != nil, "needs python3"),
    .ownThread
)
struct HouseTests {
    private let house: TemporaryDirectory

    init() throws {
        house = try TemporaryDirectory()
        _ = try house.directory("Sources/House/Attic")
        _ = try house.directory("Sources/House/Cellar")
        try write("Sources/House/Cellar/Cellar.swift", "import Foundation\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try house.write(Array(text.utf8), to: name)
    }

    /// A house of two floors.
    private func build(attic: String, cellar: String = "", imports: String, map: String) throws {
        try write(
            "Package.swift",
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "house",
                targets: [
                    .target(name: "Attic", dependencies: [\(attic)], path: "Sources/House/Attic"),
                    .target(name: "Cellar", dependencies: [\(cellar)], path: "Sources/House/Cellar"),
                ]
            )
            """
        )
        try write("Sources/House/Attic/Attic.swift", imports)
        let heading = "| floor | target | what it does | imports |\n|---|---|---|---|\n"
        try write("Sources/House/README.md", heading + map)
    }

    private func check() throws -> (status: Int32, output: String) {
        try Shell.run([try #require(Repository.python), Repository.path("scripts/check-house"), house.path])
    }

    private static let map = "| 1 | `Attic` | keeps | Cellar |\n| 0 | `Cellar` | carries | – |\n"

    @Test("A house whose parts agree passes, as ours does")
    func agrees() throws {
        try build(
            attic: "\"Cellar\"",
            imports: "// import Garden\n@testable import Cellar\nlet text = \"\"\"\nimport Garden\n\"\"\"\n",
            map: Self.map
        )
        let checked = try check()
        #expect(checked.status == 0, "\(checked.output)")
    }

    @Test("What is imported and not declared, or declared and not imported, is named with its file")
    func imports() throws {
        try build(attic: "\"Cellar\"", imports: "internal import struct Garden.Hedge\n", map: Self.map)
        let checked = try check()
        #expect(checked.status != 0)
        #expect(
            checked.output.contains(
                "Sources/House/Attic/Attic.swift imports Garden, which target Attic doesn't declare: add it"
            )
        )
        #expect(checked.output.contains("target Attic declares Cellar, which none of its files imports"))
    }

    @Test("A map that says otherwise, a target without a row and a row without a target are named")
    func mapped() throws {
        try build(
            attic: "\"Cellar\"",
            imports: "import Cellar\n",
            map: "| 1 | `Attic` | keeps | – |\n| 0 | `Shed` | keeps tools | – |\n"
        )
        let checked = try check()
        #expect(checked.status != 0)
        #expect(checked.output.contains("says that Attic imports –; the manifest says Cellar"))
        #expect(checked.output.contains("target Cellar has no row"))
        #expect(checked.output.contains("Sources/House/README.md has a row for Shed, which is no target"))
    }

    @Test("An arrow that doesn't point down is named")
    func arrows() throws {
        try build(
            attic: "\"Cellar\"",
            imports: "import Cellar\n",
            map: "| 1 | `Attic` | keeps | Cellar |\n| 1 | `Cellar` | carries | – |\n"
        )
        let checked = try check()
        #expect(checked.status != 0)
        #expect(checked.output.contains("Attic depends on Cellar, which is not on a floor below it"))
    }

    @Test("The ground is below every floor, and stands on the cellar alone")
    func ground() throws {
        try build(
            attic: "\"Cellar\"",
            imports: "import Cellar\n",
            map: "| 0 | `Attic` | keeps | Cellar |\n| ground | `Cellar` | carries | – |\n"
        )
        #expect(try check().status == 0)
        try build(
            attic: "\"Cellar\"",
            imports: "import Cellar\n",
            map: "| ground | `Attic` | keeps | Cellar |\n| 0 | `Cellar` | carries | – |\n"
        )
        #expect(try check().output.contains("Attic depends on Cellar, which is not on a floor below it"))
        try build(
            attic: "\"Cellar\"",
            imports: "import Cellar\n",
            map: "| ground | `Attic` | keeps | Cellar |\n| cellar | `Cellar` | carries | – |\n"
        )
        #expect(try check().status == 0)
    }

    @Test("A map or a paragraph that is too long to be read is named, and so is a file that is gone")
    func pages() throws {
        try build(attic: "\"Cellar\"", imports: "import Cellar\n", map: Self.map)
        let list = (1...3).map {
            "- item \($0) has `House/Cellar/Cellar.swift`, [a page](../docs/code/way.md)\n"
        }
        try write("Sources/README.md", list.joined())
        _ = try house.directory("docs/code")
        let words = String(repeating: "word ", count: 40)
        try write("docs/code/way.md", "# The way\n\n\(words)\n\(words)\n\n- \(words)\n- \(words)\n")
        let clean = try check()
        #expect(clean.status == 0, "\(clean.output)")
        try write("Sources/README.md", String(repeating: "\n", count: 121))
        let stop = "`House/Cellar/Cellar.swift` (`heat`)\n"
        try write("docs/code/way.md", "`House/Cellar/Gone.swift` is [here](gone.md)\n" + stop)
        try write("Sources/House/Attic/README.md", words + words + "word\n")
        let checked = try check()
        #expect(checked.status != 0)
        #expect(checked.output.contains("Sources/README.md has 121 lines, and may have 120"))
        #expect(checked.output.contains("Sources/House/Attic/README.md has a paragraph of 81 words"))
        #expect(checked.output.contains("docs/code/way.md names House/Cellar/Gone.swift"))
        #expect(checked.output.contains("docs/code/way.md links to gone.md"))
        #expect(checked.output.contains("docs/code/way.md names heat of House/Cellar/Cellar.swift"))
    }

    @Test("A promise in SECURITY.md whose test is gone is named")
    func promises() throws {
        try build(attic: "\"Cellar\"", imports: "import Cellar\n", map: Self.map)
        _ = try house.directory("Tests/CellarTests")
        try write("Tests/CellarTests/Here.swift", "")
        try write("SECURITY.md", "| a | `Tests/CellarTests/Here.swift`, `Tests/CellarTests/Gone.swift` |\n")
        let checked = try check()
        #expect(checked.status != 0)
        #expect(checked.output.contains("says that Tests/CellarTests/Gone.swift shows a promise"))
        #expect(!checked.output.contains("Here.swift"))
    }

    @Test("Doc comments that begin with free clauses are counted, and named where they are too many")
    func summaries() throws {
        try build(
            attic: "\"Cellar\"",
            imports: "import Cellar\n/// The roof.\n///\n/// What it covers.\n",
            map: Self.map
        )
        let clean = try check()
        #expect(clean.status == 0, "\(clean.output)")
        #expect(clean.output.contains("0 of 1 doc comments (0.0%) begin with a free clause"))
        try write(
            "Sources/House/Cellar/Cellar.swift",
            "import Foundation\n/// Where coal is.\nlet coal = 1\n"
        )
        let checked = try check()
        #expect(checked.status != 0)
        #expect(checked.output.contains("1 of 2 doc comments (50.0%) begin with a free clause"))
        #expect(checked.output.contains("/Cellar/Cellar.swift:2: begin with a noun or a verb"))
        #expect(!checked.output.contains("Attic.swift:2"))
    }
}
