import Foundation
import Testing

@testable import Pictures

struct PicturesTests {
    private func filter(_ json: String) throws -> Filter {
        try JSONDecoder().decode(Filter.self, from: Data(json.utf8))
    }

    @Test func `a picture survives its file`() throws {
        let picture = Picture.landscape(width: 301, height: 97)
        #expect(try Picture(png: picture.png()) == picture)
    }

    /// 16 × 12 pixels in RGB, compressed by Python's zlib, with each of the five filters of rows.
    private static let compressedFile = """
        iVBORw0KGgoAAAANSUhEUgAAABAAAAAMCAIAAADkharWAAABH0lEQVR42p2PMUtCYRSGHys54OEilB9xJYQQVEohxBCi5Q61CM6B
        YIuD5wdIUw2OLTY1+Qec2mxpysX5/IOmtqYmp25BLUFI8PDyLi8vD0AERahCCxLoQg+GMIIxTGAKM5jDAjKEdJBdn410QMgScoQ8
        oUCICSVCmVAjNAhNQptwSkgI54TOJgeI5kQj0bzotmhBdFc0Ft0TLYnui5ZFK6I10UPRxtbnA1nIQR4Ka2BEFhetWbVOywaJXXft
        vmcPQ1uO7GVsq4ntTK0+s7O59Rd2leEmlS6tzz+kL/nbUvRItCl6LPooevJbOoYSNKD2lT8k38WJvFn0QdXvW75MfNX1es/7Q78b
        +fPY3ydemfrFzG/n/rTwtwyvqXR7fT4AaeFP9Qjzr94AAAAASUVORK5CYII=
        """

    @Test func `a compressed file is read`() throws {
        let base64 = Self.compressedFile.replacingOccurrences(of: "\n", with: "")
        let picture = try Picture(png: Array(#require(Data(base64Encoded: base64))))
        let expected = Picture(width: 16, height: 12) { x, y in
            Picture.Pixel(red: UInt8(x * 13), green: UInt8(y * 21), blue: UInt8(x * y * 5 % 256))
        }
        #expect(picture == expected)
    }

    @Test func `damaged files are refused`() throws {
        let file = Picture.landscape(width: 20, height: 10).png()
        for index in file.indices {
            var damaged = file
            damaged[index] ^= 0x55
            #expect(throws: PictureError.self, "byte \(index)") { try Picture(png: damaged) }
        }
        for count in stride(from: 0, to: file.count - 12, by: 7) {
            #expect(throws: PictureError.self, "\(count) bytes") { try Picture(png: Array(file.prefix(count))) }
        }
    }

    @Test func `silver has no colours, and more contrast`() throws {
        let silver = try filter(
            #"{"name": "Silver", "saturation": 0, "curve": [[0, 0], [0.25, 0.18], [0.75, 0.86], [1, 1]]}"#)
        let picture = silver.apply(to: .landscape())
        #expect(picture.pixels.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
        let dark = Picture(width: 1, height: 1) { _, _ in .init(red: 40, green: 40, blue: 40) }
        #expect(silver.apply(to: dark)[0, 0].red < 40)
    }

    @Test func `amber is warmer`() throws {
        let amber = try filter(#"{"name": "Amber", "temperature": 1800}"#)
        let grey = Picture(width: 1, height: 1) { _, _ in .init(red: 100, green: 100, blue: 100, alpha: 7) }
        let pixel = amber.apply(to: grey)[0, 0]
        #expect(pixel.red > 100 && pixel.green == 100 && pixel.blue < 100 && pixel.alpha == 7)
    }

    @Test func `grain is the same each time`() throws {
        let grainy = try filter(#"{"name": "Grain", "grain": 0.2}"#)
        let picture = Picture.landscape(width: 40, height: 30)
        #expect(grainy.apply(to: picture) == grainy.apply(to: picture))
        #expect(grainy.apply(to: picture) != picture)
    }
}
