import ControlAPI
import JobCore

extension Endpoint {
    /// Sets which jobs people look at.
    static let attention = [
        Endpoint(
            .put,
            "/v1/attention/{name}",
            id: "payAttention",
            "Puts first what a client looks at: downloads, detection and pictures to show. A client names "
                + "itself as it likes, and says it again before the lease lapses.",
            body: AttentionReader.body,
            problems: [.notFound]
        ) { server, call, seen in
            let client = Attention.Client(user: call.user, name: call.name)
            try await server.control.attend(client, visible: seen.visible, near: seen.near)
            return AttentionJSON(lease: Attention.leaseLength)
        }
    ]
}
