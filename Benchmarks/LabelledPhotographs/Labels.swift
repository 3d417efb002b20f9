import Foundation

/// Photographs with the faces that people see in them.
public struct Labels: Decodable {
    /// A photograph.
    public struct Image: Decodable {
        /// The file's name in the folder.
        public let file: String
        /// Boxes as `[x, y, width, height]` in pixels of the upright picture.
        public let faces: [[Int]]
    }

    /// The photographs, in the order of the file.
    public let images: [Image]

    /// Reads `labels.json` in a folder of photographs.
    public init(folder: String) throws {
        let data = try Data(contentsOf: URL(filePath: folder + "/labels.json"))
        self = try JSONDecoder().decode(Labels.self, from: data)
    }
}
