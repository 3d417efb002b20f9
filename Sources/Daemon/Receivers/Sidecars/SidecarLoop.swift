import CurlTransfer
import JobModel
import Sidecars
import SmallFiles

/// The work of the sidecars' thread between two waits, which drives the machine and keeps its number.
struct SidecarLoop: FollowerLoop {
    /// The file that keeps how far it is.
    let file: FollowerFile
    /// The documents directory.
    let documents: String
    /// Returns the free space of the documents' disk; nil if unknown.
    let freeBytes: @Sendable () -> Int64?
    /// Returns why nothing may be written now, or can be found.
    let obstacle: @Sendable () -> String?
    /// Returns whether a file is the document of some job.
    let isDocument: @Sendable (_ path: String) throws -> Bool
    /// Asks for endings.
    let ask: @Sendable (EndingQuery) -> Void
    /// Tells people what they should know.
    let report: @Sendable (SidecarReport) -> Void

    private let place = SidecarPlace(temporaryName: ".facefetch-sidecar")
    private(set) var machine = SidecarMachine()
    /// Folders with sidecars whose names aren't synced yet.
    private(set) var folders: Set<String> = []
    private(set) var lastWait: String?
    private(set) var leastFree: Int64 = 0

    mutating func handle(_ mail: FollowerMail<Int64, EndingNews<SidecarItem>>, now: Double) {
        if let leastFree = mail.configuration { configure(leastFree) }
        if mail.news.hasEndings { machine.somethingEnded() }
        if let page = mail.news.page { machine.read(try? page.get(), now: now) }
    }

    private mutating func configure(_ leastFree: Int64?) {
        guard let leastFree else {
            machine.end()
            return file.remove()
        }
        self.leastFree = leastFree
        guard !machine.isOn else { return machine.goOn() }
        place.clean(folder: documents)
        machine.begin()
    }

    mutating func step(now: Double) -> FollowerStep {
        switch machine.next(now: now) {
        case .load: load(now)
        case .put(let item): put(item, now)
        case .keep(let number): keep(number, now)
        case .read(let number):
            ask(EndingQuery([.done], endedAfter: number ?? .max, limit: SidecarMachine.pageSize))
        case .wait(let seconds): return .wait(seconds: seconds)
        case .rest: return .wait(seconds: nil)
        }
        return .goOn
    }

    private mutating func load(_ now: Double) {
        do throws(FileFailure) {
            var kept: Int64?
            switch try file.read(atMost: 100, Self.number) {
            case .none: break
            case .content(let number): kept = number
            case .damaged:
                try file.setAside()
                report(.lost(path: file.damagedPath))
            }
            machine.loaded(kept)
            goesOn()
        } catch {
            wait("\(file.path) can't be read: \(error)", now)
        }
    }

    private mutating func put(_ item: SidecarItem, _ now: Double) {
        guard let job = item.job, job.detection?.isCounted == true else { return machine.dealt() }
        if let obstacle = obstacle() { return wait(obstacle, now) }
        if let free = freeBytes(), free <= leastFree {
            return wait("the documents' disk has no more free space than disk.reserve", now)
        }
        do {
            let outcome = try place.put(job, unless: isDocument)
            // Nobody has removed a document when none can be found.
            if case .leftAlone(.document) = outcome, let obstacle = obstacle() { return wait(obstacle, now) }
            if case .leftAlone(let reason) = outcome { report(.leftAlone(job, reason)) }
            machine.dealt()
            guard outcome == .written || outcome == .removed, let document = job.path else { return }
            folders.insert(place.folder(ofDocument: document))
            goesOn()
        } catch let error as SidecarFailure {
            if error.mayPass { return wait("\(error.path) can't be written: \(error.words)", now) }
            report(.failed(job, error))
            machine.dealt()
        } catch {
            wait("the store can't be read: \(error)", now)
        }
    }

    private mutating func keep(_ number: Int64, _ now: Double) {
        do {
            for folder in folders { try SidecarPlace.sync(folder: folder) }
            try file.write(Self.bytes(number))
            folders = []
            machine.kept(number)
        } catch let error as SidecarFailure {
            wait("\(error.path) can't be written: \(error.words)", now)
        } catch {
            wait("\(file.path) can't be written: \(error)", now)
        }
    }

    private mutating func wait(_ reason: String, _ now: Double) {
        machine.putOff(now: now)
        if reason != lastWait { report(.waits(reason: reason)) }
        lastWait = reason
    }

    private mutating func goesOn() {
        if lastWait != nil { report(.goesOn) }
        lastWait = nil
    }

    mutating func answered(_ answer: PostAnswer, now: Double) {}
    mutating func finish(now: Double) {}
    func status(now: Double) {}

    private static let head = "facefetch-sidecars 1"

    /// Returns the number that was kept; nil for bytes that make no sense.
    static func number(_ bytes: [UInt8]) -> Int64? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2, lines[0] == head else { return nil }
        return Int64(lines[1]).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns the bytes in which a number is kept.
    static func bytes(_ number: Int64) -> [UInt8] { Array("\(head)\n\(number)\n".utf8) }
}
