import TestTraits
import Testing
import Vocabulary

@testable import FaceDetection

@Suite("Colour profiles of screens, telephones and cameras", .ownThread) struct MatrixProfileTests {
    /// All colours whose values are multiples of 8, and white.
    private static let colours: Picture = {
        let steps = (0...32).map { UInt8(min(255, $0 * 8)) }
        let pixels = steps.flatMap { red in
            steps.flatMap { green in steps.flatMap { blue in [red, green, blue] } }
        }
        return Picture(
            pixels: pixels,
            width: 33,
            height: 33 * 33,
            fullWidth: 33,
            fullHeight: 33 * 33,
            orientation: 1,
            format: .png
        )
    }()

    private static let curves: [(name: String, bytes: [UInt8])] = [
        ("no curve", ProfileBytes.entries([])),
        ("an exponent", ProfileBytes.entries([563])),
        ("another exponent", ProfileBytes.entries([461])),
        ("two entries", ProfileBytes.entries([0, 65535])),
        (
            "many entries",
            ProfileBytes.entries(
                (0..<1024).map { index in
                    let share = Double(index) / 1023
                    return Int(65535 * (share * share * 0.9 + share * 0.1))
                }
            )
        ),
        ("formula 0", ProfileBytes.formula(0, [2.2])),
        ("formula 1", ProfileBytes.formula(1, [2.4, 1.1, -0.1])),
        ("formula 2", ProfileBytes.formula(2, [2.4, 0.9, 0.05, 0.02])),
        ("formula 3", ProfileBytes.formula(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])),
        ("formula 4", ProfileBytes.formula(4, [2.2, 0.9, 0.08, 0.3, 0.1, 0.01, 0.02])),
    ]

    @Test("mean the same colours as in Little CMS", arguments: curves)
    func colours(_ name: String, curve: [UInt8]) throws {
        for primaries in [ProfileBytes.displayP3, ProfileBytes.adobe, ProfileBytes.romm] {
            for version in [2, 4] as [UInt8] where version == 4 || curve.starts(with: "curv".utf8) {
                var profile = ProfileBytes(colours: primaries, curve: curve)
                profile.version = version
                let bytes = profile.bytes
                _ = try #require(MatrixProfile(bytes))
                let theirs = ColourProfile(bytes).appliedByLibrary(to: Self.colours).pixels
                let ours = ColourProfile(bytes).applied(to: Self.colours).pixels
                #expect(ours.count == theirs.count && ours != Self.colours.pixels)
                let difference = zip(ours, theirs).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
                // For colours that are so far outside, Little CMS is 3 from what exact numbers give.
                #expect(difference <= (primaries == ProfileBytes.romm ? 3 : 2), "version \(version)")
            }
        }
    }

    @Test("with anything else to go by, or in another form, are left to Little CMS")
    func others() throws {
        let curve = ProfileBytes.entries([563])
        let plain = ProfileBytes(colours: ProfileBytes.displayP3, curve: curve)
        #expect(MatrixProfile(plain.bytes) != nil)
        let changes: [(inout ProfileBytes) -> Void] = [
            { $0.tags["A2B0"] = curve }, { $0.tags["A2B1"] = curve }, { $0.tags["D2B1"] = curve },
            { $0.version = 5 }, { $0.device = "link" }, { $0.connection = "Lab " },
            { $0.tags["gTRC"] = nil }, { $0.tags["bXYZ"] = nil }, { $0.tags["rXYZ"] = curve },
            { $0.tags["rTRC"] = [] }, { $0.tags["rTRC"] = Array("curv".utf8) },
            { $0.tags["rTRC"] = ProfileBytes.entries([0]) },
            { $0.tags["rTRC"] = Array(ProfileBytes.entries([1, 2, 3]).dropLast()) },
            { $0.tags["rTRC"] = Array("curv\0\0\0\0".utf8) + ProfileBytes.number(1 << 31, 4) },
            { $0.tags["rTRC"] = ProfileBytes.formula(5, [1, 1, 1, 1, 1, 1, 1]) },
            { $0.tags["rTRC"] = ProfileBytes.formula(4, [1, 1, 1, 1, 1, 1]) },
            { $0.tags["rTRC"] = ProfileBytes.formula(1, [2, 0, 0]) },
            { $0.tags["rTRC"] = ProfileBytes.formula(0, [-1]) },
        ]
        for (index, change) in changes.enumerated() {
            var profile = plain
            change(&profile)
            #expect(MatrixProfile(profile.bytes) == nil, "change \(index)")
        }
        let bytes = plain.bytes
        // The last tag, of 20 bytes, needs no padding.
        for length in 0..<bytes.count {
            #expect(MatrixProfile(Array(bytes.prefix(length))) == nil, "cut after \(length) bytes")
        }
        var many = bytes
        many.replaceSubrange(128..<132, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(MatrixProfile(many) == nil)
    }

    @Test("whose numbers are beyond anything give some colours")
    func senseless() throws {
        let huge = [[32767, -32768, 32767], [32767, 32767, 32767], [-32768, -32768, 32767.99]]
        let steep = ProfileBytes.formula(4, [32767, 32767, -32768, 1, 0, 5, 5])
        for curve in Self.curves.map(\.bytes) + [steep] {
            let profile = ProfileBytes(colours: huge, curve: curve)
            let shown = ColourProfile(profile.bytes).applied(to: Self.colours)
            #expect(shown.pixels.count == Self.colours.pixels.count)
        }
    }
}
