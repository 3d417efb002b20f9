/// A reader of bytes that strangers choose, and what it promises whatever they are.
///
/// `make fuzz-parsers` lets libFuzzer look for bytes that break a promise; the tests beside replay
/// the corpus, and bytes near it.
enum ParserTrial: String, CaseIterable, Sendable {
    case detectorFrames = "detector-frames"
    case controlJSON = "control-json"
    case controlQueries = "control-queries"
    case responseHeads = "response-heads"
    case codedBodies = "coded-bodies"
    case contentDisposition = "content-disposition"
    case contentRange = "content-range"
    case pictures
    case urls
    case requestTargets = "request-targets"
    case settings
    case listerFrames = "lister-frames"
    case recipes
    case recipeAnchors = "recipe-anchors"
    case pages
    case html
    case jobPages = "job-pages"
    case reportLimits = "report-limits"
    case links
    case freshness
    case urlReferences = "url-references"
    case addresses
    case listerAnswers = "lister-answers"
    case detectorSpeech = "detector-speech"
    case childLines = "child-lines"
    case orientations
    case profiles
    case bitmaps
    case pictureParts = "picture-parts"
    case regions
    case webhookStates = "webhook-states"
    case controlBodies = "control-bodies"
    case requestHeads = "request-heads"
    case requestBytes = "request-bytes"
    case galleryRequests = "gallery-requests"
    case eventStreams = "event-streams"
    case lists
    case timetables
    case zones

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
        case .codedBodies: try CodedBodyTrial.read(bytes)
        case .contentDisposition: try ContentDispositionTrial.read(bytes)
        case .contentRange: try ContentRangeTrial.read(bytes)
        case .pictures: try PictureTrial.read(bytes)
        case .urls: try URLTrial.read(bytes)
        case .requestTargets: try RequestTargetTrial.read(bytes)
        case .settings: try SettingsTrial.read(bytes)
        case .listerFrames: try ListerFrameTrial.read(bytes)
        case .recipes: try RecipeTrial.read(bytes)
        case .recipeAnchors: try RecipeAnchorTrial.read(bytes)
        case .pages: try PageTrial.read(bytes)
        case .html: try HTMLTrial.read(bytes)
        case .jobPages: try JobPageTrial.read(bytes)
        case .reportLimits: try ReportLimitsTrial.read(bytes)
        case .links: try LinkTrial.read(bytes)
        case .freshness: try FreshnessTrial.read(bytes)
        case .urlReferences: try ReferenceTrial.read(bytes)
        case .addresses: try AddressTrial.read(bytes)
        case .listerAnswers: try ListerAnswerTrial.read(bytes)
        case .detectorSpeech: try DetectorSpeechTrial.read(bytes)
        case .childLines: try ChildLineTrial.read(bytes)
        case .orientations: try OrientationTrial.read(bytes)
        case .profiles: try ProfileTrial.read(bytes)
        case .bitmaps: try BitmapTrial.read(bytes)
        case .pictureParts: try PicturePartTrial.read(bytes)
        case .regions: try RegionTrial.read(bytes)
        case .webhookStates: try WebhookStateTrial.read(bytes)
        case .controlBodies: try ControlBodyTrial.read(bytes)
        case .requestHeads: try RequestHeadTrial.read(bytes)
        case .requestBytes: try RequestBytesTrial.read(bytes)
        case .galleryRequests: try GalleryRequestTrial.read(bytes)
        case .eventStreams: try EventStreamTrial.read(bytes)
        case .lists: try ListTrial.read(bytes)
        case .timetables: try TimetableTrial.read(bytes)
        case .zones: try ZoneTrial.read(bytes)
        }
    }
}

/// A promise that a reader made and didn't keep.
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
