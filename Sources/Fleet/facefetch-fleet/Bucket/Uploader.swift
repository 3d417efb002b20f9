import CCurl
import Dispatch
import FleetCore
import Glibc
import SmallFiles
import Synchronization

/// Uploads documents to a bucket on threads of its own, so that the agent goes on meanwhile.
final class Uploader: Sendable {
    /// The result of an upload.
    struct Result: Sendable {
        /// The document's ending, as it was handed over.
        var ending: FleetEnding
        /// The outcome.
        var upload: ReportWindow.Upload
        /// The reason why it failed, for people; nil if it didn't.
        var reason: String?
        /// The time that it took.
        var time: Duration
    }

    private struct State {
        var waiting: [(ending: FleetEnding, key: String)] = []
        var results: [Result] = []
    }

    /// The most documents that may be handed over at once: those on their way, and some for whoever is done
    /// next.
    let capacity: Int
    private let state = Mutex(State())
    private let isStopped = Atomic(false)
    private let available = DispatchSemaphore(value: 0)
    private let threads = Mutex<[pthread_t]>([])

    /// Starts the threads.
    init(_ settings: BucketSettings) {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        capacity = 8 * settings.uploads
        for _ in 0..<settings.uploads {
            let thread = Unmanaged.passRetained(Start(uploader: self, settings: settings))
            var id = pthread_t()
            let number = pthread_create(
                &id,
                nil,
                { start in
                    guard let start else { return nil }
                    Unmanaged<Start>.fromOpaque(start).takeRetainedValue().run()
                    return nil
                },
                thread.toOpaque()
            )
            if number == 0 { threads.withLock { $0.append(id) } } else { thread.release() }
        }
    }

    /// The parts that a thread begins with.
    private final class Start {
        let uploader: Uploader
        let settings: BucketSettings

        init(uploader: Uploader, settings: BucketSettings) {
            (self.uploader, self.settings) = (uploader, settings)
        }

        func run() { uploader.run(settings) }
    }

    /// Hands over documents with the keys they get.
    func add(_ documents: [(ending: FleetEnding, key: String)]) {
        state.withLock { $0.waiting += documents }
        for _ in documents { available.signal() }
    }

    /// Returns what has come to an end since the last time.
    func drain() -> [Result] {
        state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    /// Gives up what waits and what is on its way, and waits for the threads, which notice within a second.
    func stop() {
        state.withLock { $0.waiting = [] }
        isStopped.store(true, ordering: .relaxed)
        available.signal()
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in ending { pthread_join(thread, nil) }
    }

    private func run(_ settings: BucketSettings) {
        var client: BucketClient?
        while true {
            available.wait()
            guard !isStopped.load(ordering: .relaxed) else {
                // The next thread ends, too.
                available.signal()
                return
            }
            guard let next = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
                continue
            }
            client = client ?? BucketClient(settings) { [self] in isStopped.load(ordering: .relaxed) }
            let begun = ContinuousClock.now
            var (upload, reason) = (ReportWindow.Upload.stored, nil as String?)
            do throws(UploadFailure) {
                guard let client else { throw .trouble("libcurl has no memory") }
                guard let path = next.ending.path, let sha256 = next.ending.sha256 else { throw .changed }
                let document = InnerPath(path, folder: next.ending.folder)
                try client.upload(document, length: next.ending.bytes, sha256: sha256, key: next.key)
            } catch {
                switch error {
                case .changed: (upload, reason) = (.changed, "a document is no longer what was stored")
                case .trouble(let words): (upload, reason) = (.failed, words)
                }
            }
            let result = Result(
                ending: next.ending,
                upload: upload,
                reason: reason,
                time: ContinuousClock.now - begun
            )
            state.withLock { $0.results.append(result) }
        }
    }
}
