@testable import Receivers

/// The bytes of what a webhook keeps over restarts.
enum WebhookStateTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let state = KeptWebhook(bytes) else { return nil }
        let machine = state.machine
        try promise(machine.cursor >= 0 && machine.told >= 0, "it goes on before the first ending")
        if let request = machine.request {
            try promise(
                (0...WebhookRequest.maximumCount).contains(request.count) && request.through >= 0,
                "a request has \(request.count) endings"
            )
            // The id is a part of a header field.
            try promise(
                (1...100).contains(request.id.utf8.count)
                    && request.id.utf8.allSatisfy { (0x21...0x7E).contains($0) },
                "an id can't be sent"
            )
        }
        guard let again = state.bytes, let same = KeptWebhook(again)
        else { throw BrokenPromise(description: "it can't be read after it was written again") }
        try promise(
            same.url == state.url && same.machine.cursor == machine.cursor
                && same.machine.told == machine.told
                && same.machine.request == machine.request && same.machine.isStopped == machine.isStopped,
            "it isn't the same after it was written again"
        )
        try checkSteps(of: machine)
        return state.url
    }

    /// Checks that delivery goes on, whatever was kept: a request is sent as it is, and is done with once it
    /// is taken.
    private static func checkSteps(of machine: WebhookMachine) throws(BrokenPromise) {
        var machine = machine
        machine.goOn()
        if let request = machine.request {
            try promise(machine.next(now: 0) == .send(request), "what is pending isn't sent")
            machine.answered(.failed("no", retryAfter: 1e300), now: 0)
            if case .wait(let seconds?) = machine.next(now: 0) {
                try promise(seconds <= 3600, "it waits for \(seconds) s")
            } else {
                throw BrokenPromise(description: "it doesn't wait where it was asked to")
            }
            machine.answered(.taken, now: 0)
            try promise(machine.cursor == request.through, "it doesn't know how far the receiver is")
        }
        try promise(machine.next(now: 0) == .read(after: machine.cursor), "it doesn't go on")
    }
}
