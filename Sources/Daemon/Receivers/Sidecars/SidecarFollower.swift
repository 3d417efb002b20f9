import Logging

/// Writes the sidecars of pictures as they are looked at.
///
/// It reads the store by a number that it keeps over restarts. What happens while it is switched off is left to
/// `facefetch export --format xmp`.
public final class SidecarFollower: Sendable {
    /// The thread that writes.
    let thread: FollowerThread<SidecarLoop>

    /// Creates a follower that is switched off.
    ///
    /// - Parameters:
    ///   - path: The path of the file that keeps how far it is.
    ///   - logger: The logger for what people should know.
    ///   - documents: The documents directory.
    ///   - freeBytes: Returns the free space of the documents' disk; nil if unknown.
    ///   - obstacle: Returns why nothing may be written now, or can be found; nil if there is no such reason.
    ///   - isDocument: Returns whether a file with the name of a sidecar is the document of some job.
    ///   - endings: The endings of jobs whose documents were looked at.
    public init(
        path: String,
        logger: Logger,
        documents: String,
        freeBytes: @escaping @Sendable () -> Int64?,
        obstacle: @escaping @Sendable () -> String?,
        isDocument: @escaping @Sendable (_ path: String) throws -> Bool,
        endings: FollowedEndings<SidecarItem>
    ) {
        let file = FollowerFile(path: path)
        thread = FollowerThread(
            .init(name: "ff-sidecars", lack: "sidecars can't be written"),
            logger: logger,
            following: endings,
            file: file,
            idle: ()
        ) { ask in
            SidecarLoop(
                file: file,
                documents: documents,
                freeBytes: freeBytes,
                obstacle: obstacle,
                isDocument: isDocument,
                ask: ask,
                report: { logger.log(level: $0.isTrouble ? .warning : .info, "\($0.text)") }
            )
        }
    }

    /// Switches sidecars on, leaving at least so many bytes free on the disk, or off with nil.
    ///
    /// Once switched on, it begins with what is looked at from then on, or continues after a restart. What
    /// waits is tried at once.
    public func configure(leastFree: Int64?) { thread.configure(leastFree) }

    /// Stops after the sidecar that is being written; the next start goes on there.
    public func stop() async {
        thread.stop()
        await thread.waitForEnd()
    }
}
