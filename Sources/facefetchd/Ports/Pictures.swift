import ControlServer
import DetectorPool
import JobCore

/// Has pictures made for the control server.
struct Pictures: PicturePort {
    let maker: PictureMaker

    func picture(of path: String, sha256: String?, _ size: PictureSize) async -> PictureAnswer {
        switch await maker.make(path, size) {
        case .made(let bytes): .made(bytes)
        case .unreadable: .unreadable
        case .failed: .failed
        }
    }
}
