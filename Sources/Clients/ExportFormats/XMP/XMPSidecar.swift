/// A sidecar with a picture's faces, in the three XMP vocabularies that photo programs read.
///
/// - MWG Regions 2.0 §5.9: areas with their centres, and the dimensions that they apply to.
/// - Microsoft's People tags (MP): rectangles with their top left corners.
/// - IPTC Photo Metadata 2019.1, Image Region: rectangles with their top left corners.
///
/// All refer to the pixels as stored, with the orientation of the file in `tiff:Orientation`. No region has
/// a name, since nobody knows who the faces are.
public enum XMPSidecar {
    /// The end of a sidecar's name, which follows the whole name of its picture.
    public static let suffix = ".xmp"

    /// Returns the sidecar of a picture in ``Coordinates/stored``; nil if there are no faces.
    public static func text(_ picture: ExportedPicture) -> [UInt8]? {
        guard !picture.faces.isEmpty, picture.coordinates == .stored else { return nil }
        var text: [UInt8] = []
        write(picture, to: &text)
        return SidecarSeal.sealed(text)
    }

    private static func write(_ picture: ExportedPicture, to text: inout [UInt8]) {
        text.add(
            """
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
                xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
                xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
                xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
                xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
                xmlns:MP="http://ns.microsoft.com/photo/1.2/"
                xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#"
                xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
                xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
                xmlns:xmp="http://ns.adobe.com/xap/1.0/"
               tiff:Orientation="
            """ as StaticString
        )
        text.add(picture.orientation)
        text.add(
            "\">\n   <mwg-rs:Regions rdf:parseType=\"Resource\">\n    <mwg-rs:AppliedToDimensions stDim:w=\""
        )
        text.add(picture.size.width)
        text.add("\" stDim:h=\"")
        text.add(picture.size.height)
        text.add("\" stDim:unit=\"pixel\"/>\n    <mwg-rs:RegionList>\n     <rdf:Bag>\n")
        for face in picture.faces { writeMWG(face.box, in: picture.size, to: &text) }
        text.add("     </rdf:Bag>\n    </mwg-rs:RegionList>\n   </mwg-rs:Regions>\n")
        text.add("   <MP:RegionInfo rdf:parseType=\"Resource\">\n    <MPRI:Regions>\n     <rdf:Bag>\n")
        for face in picture.faces {
            text.add("      <rdf:li MPReg:Rectangle=\"")
            text.addCorner(of: face.box, in: picture.size, between: [", ", ", ", ", "])
            text.add("\"/>\n")
        }
        text.add("     </rdf:Bag>\n    </MPRI:Regions>\n   </MP:RegionInfo>\n")
        text.add("   <Iptc4xmpExt:ImageRegion>\n    <rdf:Bag>\n")
        for face in picture.faces { writeIPTC(face.box, in: picture.size, to: &text) }
        text.add("    </rdf:Bag>\n   </Iptc4xmpExt:ImageRegion>\n  </rdf:Description>\n </rdf:RDF>\n")
    }

    private static func writeMWG(_ box: Box, in size: Size, to text: inout [UInt8]) {
        text.add(
            "      <rdf:li>\n       <rdf:Description mwg-rs:Type=\"Face\">\n        <mwg-rs:Area stArea:x=\""
        )
        text.addCentre(of: box, in: size, between: ["\" stArea:y=\"", "\" stArea:w=\"", "\" stArea:h=\""])
        text.add("\" stArea:unit=\"normalized\"/>\n       </rdf:Description>\n      </rdf:li>\n")
    }

    private static func writeIPTC(_ box: Box, in size: Size, to text: inout [UInt8]) {
        text.add(
            """
                 <rdf:li rdf:parseType="Resource">
                  <Iptc4xmpExt:RegionBoundary Iptc4xmpExt:rbShape="rectangle" Iptc4xmpExt:rbUnit="relative" \
            Iptc4xmpExt:rbX="
            """ as StaticString
        )
        text.addCorner(
            of: box,
            in: size,
            between: ["\" Iptc4xmpExt:rbY=\"", "\" Iptc4xmpExt:rbW=\"", "\" Iptc4xmpExt:rbH=\""]
        )
        text.add(
            """
            "/>
                  <Iptc4xmpExt:rCtype>
                   <rdf:Bag>
                    <rdf:li rdf:parseType="Resource">
                     <xmp:Identifier>
                      <rdf:Bag>
                       <rdf:li>http://cv.iptc.org/newscodes/imageregiontype/human</rdf:li>
                      </rdf:Bag>
                     </xmp:Identifier>
                    </rdf:li>
                   </rdf:Bag>
                  </Iptc4xmpExt:rCtype>
                 </rdf:li>

            """ as StaticString
        )
    }
}

extension [UInt8] {
    /// Adds a box as top left corner, width and height, relative to the picture.
    fileprivate mutating func addCorner(of box: Box, in size: Size, between separators: [StaticString]) {
        add(2 * box.x, twice: size.width)
        add(separators[0])
        add(2 * box.y, twice: size.height)
        add(separators[1])
        add(2 * box.width, twice: size.width)
        add(separators[2])
        add(2 * box.height, twice: size.height)
    }
}
