import Dispatch
import TestSupport

/// Asks over the socket as another user, through a process of that user's own; returns the answer's status.
func ask(
    _ server: RunningServer,
    user: String,
    group: String? = nil,
    groups: String,
    _ method: String,
    _ path: String
) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(
                with: Result {
                    try Shell.run([
                        "/usr/bin/setpriv", "--reuid", user, "--regid", group ?? user, "--groups", groups,
                        "--inh-caps=-all",
                        "/usr/bin/curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", method,
                        "--unix-socket", server.path, "http://localhost" + path,
                    ]).output
                }
            )
        }
    }
}
