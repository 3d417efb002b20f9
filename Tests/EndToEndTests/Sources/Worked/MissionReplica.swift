import Synchronization
import TestSupport

/// An API like the one of the Mars rovers, which is gone: a manifest of sols, and pages of 25 photographs.
final class MissionReplica: Replica {
    let recipe = "mission"
    /// The number of photographs of each sol of Curiosity.
    private let counts = Mutex([1: 30, 2: 3, 5: 1])

    var pages: Int { 5 }
    var keys: [String] { sols.flatMap { sol, count in (0..<count).map { "\(sol * 1000 + $0)" } } }
    private var sols: [(key: Int, value: Int)] { counts.withLock { $0.sorted { $0.key < $1.key } } }

    /// One more photograph in a sol.
    func add(to sol: Int) { counts.withLock { $0[sol, default: 0] += 1 } }

    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer? {
        switch path {
        case "/api/v1/manifests/curiosity":
            return ListOrigin.json([
                "photo_manifest": ["photos": sols.map { ["sol": $0.key, "total_photos": $0.value] }]
            ])
        case "/api/v1/manifests/opportunity":
            // More sols than may be asked for in an hour.
            return ListOrigin.json([
                "photo_manifest": ["photos": (1...40).map { ["sol": $0, "total_photos": 0] }]
            ])
        case "/api/v1/rovers/opportunity/photos": return ListOrigin.json(["photos": [Any]()])
        case "/api/v1/rovers/curiosity/photos":
            let sol = ListOrigin.parameter("sol", of: request).flatMap { Int($0) } ?? 0
            let page = ListOrigin.parameter("page", of: request).flatMap { Int($0) } ?? 1
            let count = counts.withLock { $0[sol] } ?? 0
            return ListOrigin.json([
                "photos": (0..<count).dropFirst((page - 1) * 25).prefix(25).map { index in
                    [
                        "id": sol * 1000 + index, "img_src": "/mission/picture/\(sol)/\(index).JPG",
                        "camera": ["id": 20, "name": "FHAZ"], "rover": ["name": "Curiosity"],
                    ] as [String: Any]
                }
            ])
        default: return nil
        }
    }
}
