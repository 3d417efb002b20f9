import TestSupport
import Testing

@testable import JobCore
@testable import JobModel

@Suite("The connections that many requests to a host may fill")
struct SharedConnectionsTests {
    private static let bounds = HostStreams.Bounds(connections: 6, streams: 32)

    /// A host at the end of a line, of which each connection brings no more than so many files in a round trip, and all
    /// of them together no more than so many.
    struct Far: Sendable, CustomTestStringConvertible {
        var each: Double
        var all: Double
        var roundTrip = 60.0
        var testDescription: String { "\(Int(each)) and \(Int(all)) files in \(Int(roundTrip)) ms" }

        /// The milliseconds that a file takes beside others, over so many connections.
        func time(beside active: Int, over connections: Int) -> Int64 {
            let width = min(Double(active), each * Double(connections), all)
            return Int64(roundTrip * Double(active) / width)
        }
    }

    /// Fetches so many files, and returns the most requests at each.
    private func fetch(
        _ count: Int,
        from far: Far,
        _ streams: inout HostStreams,
        jitter: UInt64? = nil
    ) -> [Int] {
        follow(count, from: far, &streams, jitter: jitter).map(\.most)
    }

    /// Fetches so many files, and returns the most requests at each, and how they are spread.
    private func follow(
        _ count: Int,
        from far: Far,
        _ streams: inout HostStreams,
        jitter: UInt64?
    ) -> [(most: Int, spread: ConnectionSpread?)] {
        var generator = SeededGenerator(seed: jitter ?? 0)
        var there = 1
        var clock = 0.0
        return (0..<count).map { _ in
            let active = streams.most(in: Self.bounds)
            let spread = streams.spread(in: Self.bounds)?.connections ?? 1
            there = max(there, spread)
            let connections = max(spread, min(there, (active + 31) / 32))
            // Whatever is more than there is room for makes a connection.
            there = min(5, there + max(0, active - 32 * there))
            var time = far.time(beside: active, over: connections)
            if jitter != nil { time += .random(in: -time / 4...time / 4, using: &generator) }
            clock += Double(time) / Double(active)
            streams.note(
                .served(
                    milliseconds: far.roundTrip > 250 ? 300 : 60,
                    whole: time,
                    connections: there,
                    at: Int64(clock)
                ),
                of: active,
                in: Self.bounds
            )
            return (streams.most(in: Self.bounds), streams.spread(in: Self.bounds))
        }
    }

    @Test("Over a long line each connection more brings more, and all are used but one")
    func far() {
        var streams = HostStreams()
        let widths = fetch(2000, from: Far(each: .infinity, all: .infinity), &streams)
        #expect(widths.last == 5 * 32)
        #expect(widths.prefix(42).max() == 32, "one at first")
        #expect(widths.contains(36), "four make the other connections")
    }

    @Test("Where all connections bring too little, two are tried next", arguments: [nil, 1, 2, 3])
    func steps(jitter: UInt64?) {
        var streams = HostStreams()
        let widths = fetch(9000, from: Far(each: .infinity, all: 20), &streams, jitter: jitter)
        let tops = zip(widths, widths.dropFirst()).filter { $0 > 32 && $1 == 32 }.map(\.0)
        #expect(tops.prefix(3) == [160, 64, 64])
    }

    @Test("A trial ends, too, where there aren't as many requests as it takes")
    func idle() {
        var streams = HostStreams()
        _ = fetch(100, from: Far(each: .infinity, all: .infinity), &streams)
        #expect(streams.most(in: Self.bounds) > 32)
        for _ in 0..<1000 {
            let news = StreamNews.served(milliseconds: 60, whole: 60, connections: 5)
            streams.note(news, of: min(20, streams.most(in: Self.bounds)), in: Self.bounds)
        }
        #expect(streams.most(in: Self.bounds) == 32)
    }

    @Test("Bad news end a trial of all connections, and the next one is of all again")
    func again() {
        var streams = HostStreams()
        while streams.most(in: Self.bounds) < 150 {
            _ = fetch(1, from: Far(each: .infinity, all: .infinity), &streams)
        }
        streams.note(.refused, of: 150, in: Self.bounds)
        let widths = fetch(3000, from: Far(each: .infinity, all: .infinity), &streams)
        #expect(widths.last == 160 && widths.count { $0 == 64 } < 10, "no trial of two")
    }

    @Test("No more are counted on than can be told apart")
    func many() {
        #expect(HostStreams.Bounds(connections: 60, streams: 100).shared == 8)
        let endless = HostStreams.Bounds(connections: .max, streams: .max)
        #expect(endless.shared == 1 && endless.most == .max)
        #expect(HostStreams.Bounds(connections: 4, streams: .max).most == 1 << 32)
    }

    @Test(
        "Where the line is full, as many requests are tried over more connections, ever less often",
        arguments: [nil, 1, 2, 3]
    )
    func full(jitter: UInt64?) {
        var streams = HostStreams()
        let steps = follow(90_000, from: Far(each: .infinity, all: 8), &streams, jitter: jitter)
        #expect(steps.map(\.most).max() == 32, "more would only wait")
        #expect(steps.last?.most == 32 && steps.last?.spread == nil)
        #expect(steps.count { $0.spread != nil } < 5000)
        #expect(
            steps.allSatisfy { $0.spread.map { $0 == ConnectionSpread(connections: 2, streams: 16) } ?? true }
        )
        let trials = zip(steps, steps.dropFirst()).count { $0.spread == nil && $1.spread != nil }
        #expect((3...12).contains(trials), "\(trials)")
    }

    @Test("A connection that losses keep slow is helped by others, as far as the line goes")
    func lossy() {
        var streams = HostStreams()
        let widths = fetch(5000, from: Far(each: 10, all: 22), &streams)
        #expect(widths.last == 2 * 32)
    }

    /// A host whose answers wait behind what a connection still has to bring.
    ///
    /// Each connection brings a file in so many milliseconds, and all together one in so many.
    struct Slow {
        var each: Double
        var all: Double

        /// Fetches so many files with jitter, and returns how the requests were spread after each, and the most at once.
        func fetch(
            _ count: Int,
            _ streams: inout HostStreams,
            seed: UInt64
        ) -> [(spread: ConnectionSpread?, most: Int)] {
            var generator = SeededGenerator(seed: seed)
            var clock = 0.0
            return (0..<count).map { _ in
                let active = streams.most(in: bounds)
                let connections = streams.spread(in: bounds)?.connections ?? 1
                let share = (Double(active) / Double(connections)).rounded(.up)
                let time = max(share * each, Double(active) * all) * .random(in: 0.7...1.3, using: &generator)
                let answer = streams == HostStreams() ? 60 : Int64(max(60, time * 0.9))
                clock += time / Double(active)
                let news = StreamNews.served(
                    milliseconds: answer,
                    whole: answer + Int64(time * 0.1),
                    connections: connections,
                    at: Int64(clock)
                )
                streams.note(news, of: active, in: bounds)
                return (streams.spread(in: bounds), streams.most(in: bounds))
            }
        }
    }

    @Test(
        "Where few requests are slow already, they are spread over all connections but one",
        arguments: 1...5
    )
    func cramped(seed: UInt64) {
        var streams = HostStreams()
        let steps = Slow(each: 150, all: 11).fetch(600, &streams, seed: seed)
        #expect(steps.prefix(120).last?.spread?.connections == 5)
        #expect(steps.suffix(300).allSatisfy { $0.spread?.connections == 5 })
        #expect(
            steps.allSatisfy { $0.most <= 4 * Self.bounds.connections },
            "no more than the connections bring"
        )
        #expect(streams.most(in: Self.bounds) >= 6)
    }

    @Test(
        "A host that is slow however its requests are spread gets them over one connection",
        arguments: 1...5
    )
    func overloaded(seed: UInt64) {
        var streams = HostStreams()
        // After more than these, what was slow is taken for what the line brings.
        let steps = Slow(each: 150, all: 150).fetch(1000, &streams, seed: seed)
        let trials = zip(steps, steps.dropFirst()).count { $0.spread == nil && $1.spread != nil }
        #expect((1...4).contains(trials), "\(trials)")
        #expect(steps.count { $0.spread != nil } <= trials * 60)
        #expect(steps.dropFirst(100).allSatisfy { $0.most <= 8 })
    }

    @Test(
        "Bad news end the trial of spreading requests",
        arguments: [StreamNews.refused, .crowded, .unwilling, .alone]
    )
    func spreadingEnds(news: StreamNews) {
        var streams = HostStreams()
        let slow = Slow(each: 150, all: 11)
        while streams.spread(in: Self.bounds) == nil { _ = slow.fetch(1, &streams, seed: 1) }
        streams.note(news, of: 6, in: Self.bounds)
        #expect(streams.spread(in: Self.bounds) == nil)
        #expect(streams.most(in: Self.bounds) == 6)
    }

    @Test("A large file among small ones doesn't end that trial, many do", arguments: 1...5)
    func spreadingLarge(seed: UInt64) {
        var streams = HostStreams()
        let slow = Slow(each: 150, all: 11)
        while streams.spread(in: Self.bounds) == nil { _ = slow.fetch(1, &streams, seed: seed) }
        let narrow = streams
        for _ in 0..<20 {
            streams.note(.large, of: 6, in: Self.bounds)
            _ = slow.fetch(10, &streams, seed: seed)
            #expect(streams.spread(in: Self.bounds)?.connections == 5)
        }
        streams = narrow
        for _ in 0..<6 { streams.note(.large, of: 6, in: Self.bounds) }
        #expect(streams.spread(in: Self.bounds) == nil)
    }

    @Test("Over a short line, further connections aren't tried")
    func near() {
        var streams = HostStreams()
        let widths = fetch(5000, from: Far(each: .infinity, all: .infinity, roundTrip: 8), &streams)
        #expect(widths.max() == 32)
    }

    @Test(
        "Bad news end a trial, and leave half of what there was before",
        arguments: [StreamNews.refused, .crowded]
    )
    func trial(news: StreamNews) {
        var streams = HostStreams()
        while streams.most(in: Self.bounds) < 50 {
            _ = fetch(1, from: Far(each: .infinity, all: .infinity), &streams)
        }
        streams.note(news, of: 50, in: Self.bounds)
        #expect(streams.most(in: Self.bounds) == 16)
        let widths = fetch(500, from: Far(each: .infinity, all: .infinity), &streams)
        #expect(widths.allSatisfy { $0 <= 32 }, "not again at once")
    }

    @Test("A large file among small ones leaves a trial as it is; where there are only large ones, it ends")
    func largeFiles() {
        var streams = HostStreams()
        while streams.most(in: Self.bounds) < 50 {
            _ = fetch(1, from: Far(each: .infinity, all: .infinity), &streams)
        }
        let width = streams.most(in: Self.bounds)
        streams.note(.large, of: 50, in: Self.bounds)
        #expect(streams.most(in: Self.bounds) == width - 1)
        for _ in 0..<200 { streams.note(.large, of: 50, in: Self.bounds) }
        #expect(streams.most(in: Self.bounds) == Self.bounds.connections)
        let widths = fetch(500, from: Far(each: .infinity, all: .infinity), &streams)
        #expect(widths.allSatisfy { $0 <= 32 }, "not again at once")
    }

    @Test("A host that may have one connection has no more, nor has one with two a further one")
    func few() {
        for connections in [1, 2] {
            let bounds = HostStreams.Bounds(connections: connections, streams: 32)
            var streams = HostStreams()
            for _ in 0..<5000 { streams.note(.served(milliseconds: 60, whole: 60), of: 32, in: bounds) }
            #expect(streams.most(in: bounds) == 32)
        }
    }
}
