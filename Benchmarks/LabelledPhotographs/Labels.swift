import Foundation

/// Photographs with the faces that people see in them.
public struct Labels: Decodable, Sendable {
    /// A photograph.
    public struct Image: Decodable, Sendable {
        /// The file's name in the folder.
        public let file: String
        /// Boxes as `[x, y, width, height]` in pixels of the upright picture.
        public let faces: [[Int]]
        /// Boxes in which a face may be found or not: neither is right or wrong.
        public var ignored: [[Int]] = []

        private enum CodingKeys: String, CodingKey {
            case file, faces
        }

        /// A photograph with its faces.
        public init(file: String, faces: [[Int]], ignored: [[Int]] = []) {
            self.file = file
            self.faces = faces
            self.ignored = ignored
        }
    }

    /// The photographs, in the order of the file.
    public let images: [Image]

    /// Reads `labels.json` in a folder of photographs.
    public init(folder: String) throws {
        let data = try Data(contentsOf: URL(filePath: folder + "/labels.json"))
        self = try JSONDecoder().decode(Labels.self, from: data)
    }

    /// Photographs by hand.
    public init(images: [Image]) { self.images = images }
}
