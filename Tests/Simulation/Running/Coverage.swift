import JobModel
import Vocabulary

@testable import JobCore
@testable import JobEngine

/// How often each state, verdict, hold, failure and edge was met.
final class Coverage {
    private(set) var counts: [String: Int] = [:]

    func note(_ what: String) { counts[what, default: 0] += 1 }

    func note(_ verdict: ResponseVerdict) { note("verdict \(Self.label(verdict))") }

    func note(_ end: TransferEnd) { note("end \(Self.words(end))") }

    func note(_ core: EngineCore, _ inputs: [EngineInput]) {
        for input in inputs { note("input \(Self.label(input))") }
        guard inputs.contains(where: { if case .transfers = $0 { true } else { false } }) else { return }
        let hosts = core.bench.queues.transfers.hosts
        for number in hosts.all.keys {
            let patience = hosts.clock(at: number).patience
            let width = patience.width == nil ? "" : ", few at once"
            note("patience \(Self.label(patience.stage)) (\(patience.cause.rawValue))\(width)")
        }
        if let outage = core.bench.queues.transfers.line.outage { note("outage \(outage.part)") }
    }

    /// Adds what another history has met.
    func add(_ other: History) { for (what, count) in other.met { counts[what, default: 0] += count } }

    /// The table, a line for each.
    var table: String {
        counts.sorted { $0.key < $1.key }.map {
            "\(String(repeating: " ", count: max(0, 9 - String($0.value).count)))\($0.value)  \($0.key)"
        }
        .joined(separator: "\n")
    }

    /// Returns the name of a case without its values.
    static func label(_ value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? String(describing: value)
    }

    /// Returns the end of a transfer in a few words.
    static func words(_ end: TransferEnd) -> String {
        switch end {
        case .hindered(let failure, let hindrance): "hindered, \(label(hindrance)) (\(failure.code))"
        case .interrupted(let failure, _): "interrupted (\(failure.code))"
        case .damaged(let failure): "damaged (\(failure.code))"
        case .refused(let failure): "refused (\(failure.code))"
        case .completed, .buffered, .mustRestart, .stopped, .unsent: label(end)
        }
    }
}
