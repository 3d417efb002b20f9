import Testing

@testable import facefetchd

@Suite("Shares of descriptors")
struct DescriptorSharesTests {
    /// Limits from the least to more than anybody asks for.
    static let limits = [128, 129, 200, 256, 512, 1024, 4096, 20_000, 65_536, 1 << 20, Int.max / 4]

    @Test("leave something to everybody, and are together no more than there is", arguments: limits)
    func isEnough(limit: Int) {
        for processors in [1, 2, 8, 64, 512] {
            for wanted in [1, 2, 64, 256] {
                let shares = DescriptorShares(limit: limit, processors: processors, detectors: wanted)
                #expect(shares.refusal == nil)
                #expect(shares.transfers >= 1 && shares.sockets >= 2 && shares.connections >= 8)
                #expect((1...wanted).contains(shares.detectors))
                #expect((1...processors).contains(shares.loops))
                #expect(shares.connections <= 2048)
                // What is open at rest, with sockets, partials and lookups of all transfers.
                let used = 46 + 3 * shares.loops + 4 * shares.transfers
                #expect(used + shares.reserve <= limit)
                #expect(shares.sockets + 2 * shares.transfers <= 4 * shares.transfers + 4)
            }
        }
    }

    @Test("of a service are as many as the settings can ask for")
    func service() {
        let shares = DescriptorShares(limit: 65_536, processors: 256, detectors: 256)
        #expect(shares.transfers >= 1000)
        #expect(shares.connections == 2048)
        #expect(shares.detectors == 256)
        #expect(shares.notices(concurrency: 1000, detectors: 256).isEmpty)
    }

    @Test("say what is less than was asked for, and how to have more")
    func notices() {
        let shares = DescriptorShares(limit: 1024, processors: 2, detectors: 64)
        let notices = shares.notices(concurrency: 1000, detectors: 64)
        #expect(notices.count == 2)
        #expect(notices.allSatisfy { $0.contains("1024") && $0.contains("LimitNOFILE=") })
        #expect(shares.notices(concurrency: shares.transfers, detectors: shares.detectors).isEmpty)
    }

    @Test("are none below the least limit, and that is said with what to raise", arguments: [0, 44, 72, 127])
    func refusal(limit: Int) throws {
        let shares = DescriptorShares(limit: limit, processors: 2, detectors: 2)
        let refusal = try #require(shares.refusal)
        #expect(refusal.contains("\(limit)") && refusal.contains("128") && refusal.contains("LimitNOFILE="))
        // An administrator may lower the limit of a daemon that runs.
        #expect((0..<max(1, limit)).contains(shares.ceiling))
        // Whoever asks all the same divides nothing by nothing.
        #expect(shares.transfers >= 1)
    }
}
