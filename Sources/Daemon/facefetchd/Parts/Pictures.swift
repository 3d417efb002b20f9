import Children
import ControlServer
import DocumentStore
import JobModel
import JobStore
import Settings
import Synchronization
import Vocabulary

/// Has pictures made for the control server, and keeps them: those requested last in memory, and
/// the others on the disk.
final class Pictures: PicturePort, Part {
    private let maker: PictureMaker
    private let cache: PictureCache
    private let store: JobStore
    private let documents: String
    private let shelf = Mutex(PictureShelf(limit: 16 << 20))

    init(on ground: Ground, cache: PictureCache) {
        let (engine, reporter) = (ground.engine, ground.reporter)
        maker = PictureMaker(
            configuration: ground.settings.pictureMaker(executable: ProgramFile.likelyPath(of: .detector)),
            logger: ground.logger,
            interests: engine.interests,
            lost: { reporter.lost(.pictureProcess, $0, at: $1) }
        )
        (self.cache, store, documents) = (cache, ground.store, ground.settings.paths.documents)
    }

    func configure(_ settings: DaemonSettings) -> Change? {
        { self.cache.configure(settings.pictureCache) }
    }

    func show(in configuration: inout ControlServerConfiguration) { configuration.pictures = self }

    func stop() { maker.stop() }

    /// Has no further picture made by the process that there is now, which has been let into another documents
    /// directory.
    func replaceProcess() { maker.replaceProcess() }

    func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer {
        let key = document.sha256.map { PictureShelf.Key(sha256: $0, size: size) }
        if let key, let jpeg = shelf.withLock({ $0.picture(key) }) { return .made(jpeg) }
        if let key, let jpeg = await cache.picture(key.sha256, size) {
            shelf.withLock { $0.keep(jpeg, as: key) }
            return .made(jpeg)
        }
        switch await maker.make(document.path, size, for: document.job, of: document.user) {
        case .made(let jpeg):
            // A document that somebody has changed doesn't look like what was hashed; and of a job that has
            // been forgotten in the meantime, nothing is kept.
            if let key, let hashed = document.mark, mark(of: document) == hashed,
                (try? await store.job(document.job)) != nil
            {
                shelf.withLock { $0.keep(jpeg, as: key) }
                cache.keep(jpeg, key.sha256, size)
            }
            return .made(jpeg)
        case .unreadable: return .unreadable
        case .failed, .fingerprint: return .failed
        }
    }

    func fingerprint(of document: ShownDocument) async -> FingerprintAnswer {
        switch await maker.makeFingerprint(document.path, for: document.job, of: document.user) {
        case .fingerprint(let fingerprint):
            // Another file than the one that was hashed says nothing about the job.
            if let hashed = document.mark, mark(of: document) != hashed { return .changed }
            return .made(fingerprint)
        case .unreadable: return .unreadable
        case .failed, .made: return .failed
        }
    }

    func kept(_ sha256: String, like size: PictureSize) async -> [UInt8]? {
        // From the largest to the smallest: of what is left, most is to be seen in that.
        for size in [size] + PictureSize.allCases.reversed().filter({ $0 != size }) {
            let key = PictureShelf.Key(sha256: sha256, size: size)
            if let jpeg = shelf.withLock({ $0.picture(key) }) { return jpeg }
            if let jpeg = await cache.picture(sha256, size) { return jpeg }
        }
        return nil
    }

    private func mark(of document: ShownDocument) -> FileMark? {
        DocumentStore.mark(ofDocument: document.path, in: documents)
    }
}
