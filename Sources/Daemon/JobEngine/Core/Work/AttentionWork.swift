import JobCore
import JobModel
import Vocabulary

/// Orders the queues by what people look at.
struct AttentionWork {
    private let bench: Workbench
    private var attention = Attention()

    init(bench: Workbench) { self.bench = bench }

    /// The jobs that someone looks at.
    var interests: [JobID: Interest] { attention.interests }
    /// The moment at which the next lease lapses; nil if there is none.
    var lapsesAt: Moment? { attention.lapsesAt }

    /// Handles what a client looks at now.
    mutating func look(_ client: Attention.Client, visible: [JobID], near: [JobID], now: Moment) {
        let changed = attention.look(client, visible: visible, near: near, now: now)
        apply(changed)
    }

    /// Ends the leases whose time is over.
    mutating func lapse(now: Moment) {
        let changed = attention.lapse(now: now)
        apply(changed)
    }

    private func apply(_ changed: Set<JobID>) {
        guard !changed.isEmpty else { return }
        bench.queues.transfers.attend(attention.interests, changed: changed)
        bench.queues.documents.attend(attention.interests)
    }
}
