import ControlServer
import DetectorPool
import JobCore
import Synchronization

/// Has pictures made for the control server, and keeps those requested last.
final class Pictures: PicturePort {
    private let maker: PictureMaker
    private let shelf = Mutex(PictureShelf(limit: 16 << 20))

    init(maker: PictureMaker) { self.maker = maker }

    func picture(of document: ShownDocument, _ size: PictureSize) async -> PictureAnswer {
        let key = document.sha256.map { PictureShelf.Key(sha256: $0, size: size) }
        if let key, let jpeg = shelf.withLock({ $0.picture(key) }) { return .made(jpeg) }
        switch await maker.make(document.path, size, for: document.job) {
        case .made(let jpeg):
            if let key { shelf.withLock { $0.keep(jpeg, as: key) } }
            return .made(jpeg)
        case .unreadable: return .unreadable
        case .failed: return .failed
        }
    }
}
