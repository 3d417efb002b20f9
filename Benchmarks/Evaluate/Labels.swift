import Foundation

/// Photographs with the faces that people see in them.
struct Labels: Decodable {
    struct Image: Decodable {
        let file: String
        /// Boxes as `[x, y, width, height]` in pixels of the upright picture.
        let faces: [[Int]]
    }

    let images: [Image]

    /// Reads `labels.json` in a folder of photographs.
    init(folder: String) throws {
        let data = try Data(contentsOf: URL(filePath: folder + "/labels.json"))
        self = try JSONDecoder().decode(Labels.self, from: data)
    }
}
