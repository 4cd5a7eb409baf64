/// A picture of 8-bit pixels in red, green, blue and alpha.
public struct Picture: Sendable, Equatable {
    public struct Pixel: Sendable, Equatable {
        public var red: UInt8
        public var green: UInt8
        public var blue: UInt8
        public var alpha: UInt8

        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }
    }

    public let width: Int
    public let height: Int
    /// Pixels by rows from the top.
    public var pixels: [Pixel]

    /// Makes a picture whose pixels are computed.
    public init(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> Pixel) {
        self.width = width
        self.height = height
        self.pixels = (0..<height).flatMap { y in (0..<width).map { x in pixel(x, y) } }
    }

    public subscript(x: Int, y: Int) -> Pixel {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }

    /// A landscape for trying out filters: sky, sun, hills and a lake.
    public static func landscape(width: Int = 320, height: Int = 200) -> Picture {
        Picture(width: width, height: height) { x, y in
            let (u, v) = (Double(x) / Double(width), Double(y) / Double(height))
            let sun = (u - 0.7) * (u - 0.7) * 2.5 + (v - 0.25) * (v - 0.25)
            if sun < 0.006 { return Pixel(red: 255, green: 244, blue: 200) }
            let hill = 0.55 - 0.12 * triangle(u * 2.3) - 0.05 * triangle(u * 7.1 + 0.4)
            switch v {
            case ..<hill:
                let light = 1 - v
                return Pixel(red: byte(90 + 110 * v), green: byte(140 + 60 * v), blue: byte(190 + 50 * light))
            case ..<0.72:
                let shade = 1 - (v - hill) * 1.5
                return Pixel(red: byte(70 * shade), green: byte(120 * shade), blue: byte(60 * shade))
            default:
                let ripple = triangle(v * 40 + u * 3) * 18
                return Pixel(red: byte(60 + ripple), green: byte(100 + ripple), blue: byte(150 + ripple))
            }
        }
    }

    /// A wave between 0 and 1 with the period 1.
    private static func triangle(_ position: Double) -> Double {
        let part = position - position.rounded(.down)
        return part < 0.5 ? part * 2 : 2 - part * 2
    }

    static func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
}
