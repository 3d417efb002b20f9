/// A reader of bytes that strangers choose, and what it promises whatever they are.
///
/// `make fuzz-parsers` lets libFuzzer look for bytes that break a promise; the tests beside replay
/// the corpus, and bytes near it.
enum ParserTrial: String, CaseIterable, Sendable {
    case detectorFrames = "detector-frames"
    case controlJSON = "control-json"
    case controlQueries = "control-queries"
    case responseHeads = "response-heads"
    case contentDisposition = "content-disposition"
    case contentRange = "content-range"
    case pictures
    case urls
    case settings
    case listerFrames = "lister-frames"
    case recipes
    case pages
    case jobPages = "job-pages"
    case reportLimits = "report-limits"

    /// Has the bytes read, and checks what came of it.
    ///
    /// Gives a text that the reader took out of the bytes, where it found one: by it the fuzzer's
    /// self-check knows that it got through the reader.
    func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        switch self {
        case .detectorFrames: try DetectorFrameTrial.read(bytes)
        case .controlJSON: try ControlJSONTrial.read(bytes)
        case .controlQueries: try ControlQueryTrial.read(bytes)
        case .responseHeads: try ResponseHeadTrial.read(bytes)
        case .contentDisposition: try ContentDispositionTrial.read(bytes)
        case .contentRange: try ContentRangeTrial.read(bytes)
        case .pictures: try PictureTrial.read(bytes)
        case .urls: try URLTrial.read(bytes)
        case .settings: try SettingsTrial.read(bytes)
        case .listerFrames: try ListerFrameTrial.read(bytes)
        case .recipes: try RecipeTrial.read(bytes)
        case .pages: try PageTrial.read(bytes)
        case .jobPages: try JobPageTrial.read(bytes)
        case .reportLimits: try ReportLimitsTrial.read(bytes)
        }
    }
}

/// What a reader promised and didn't do.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Throws where a promise doesn't hold.
func promise(
    _ holds: Bool,
    _ words: @autoclosure () -> String
) throws(BrokenPromise) {
    guard holds else { throw BrokenPromise(description: words()) }
}
