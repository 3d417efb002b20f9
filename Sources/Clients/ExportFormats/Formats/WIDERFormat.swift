/// Ground truth for WIDER FACE: a picture's path in the documents directory, the number of faces, and a line for each face.
///
/// http://shuoyang1213.me/WIDERFACE: `x y w h blur expression illumination invalid occlusion pose`.
public enum WIDERFormat {
    /// Adds a picture.
    public static func write(_ job: ExportedJob, _ picture: ExportedPicture, to text: inout [UInt8]) {
        text.add(job.file)
        text.append(UInt8(ascii: "\n"))
        text.add(picture.faces.count)
        text.append(UInt8(ascii: "\n"))
        for face in picture.faces {
            for number in [face.box.x, face.box.y, face.box.width, face.box.height] {
                text.add(number)
                text.append(UInt8(ascii: " "))
            }
            text.add("0 0 0 0 0 0\n")
        }
        // The data set has such a line for a picture without faces, and its readers skip it.
        if picture.faces.isEmpty { text.add("0 0 0 0 0 0 0 0 0 0\n") }
    }
}
