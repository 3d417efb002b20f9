/// The outcome of looking for faces in one document.
public enum Detection: Sendable {
    /// The picture was read; it has this size when upright, and these faces, the surest first.
    case counted(faces: [FoundFace], width: Int, height: Int)
    /// The document can't be looked at, and why.
    case unreadable(reason: String)
}
