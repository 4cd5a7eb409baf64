import Foundation

/// A photo filter, as its file describes it.
public struct Filter: Codable, Sendable, Equatable {
    public var name: String
    public var version: String?
    /// 0 for black and white, 1 for the colours as they are.
    public var saturation: Double?
    /// Shift towards warm colours in kelvins; negative towards cold ones.
    public var temperature: Double?
    /// Points of the tone curve from 0 to 1, each of input and output.
    public var curve: [[Double]]?
    /// Strength of the film grain from 0 to 1.
    public var grain: Double?

    /// Reads a filter's file.
    ///
    /// - Throws: `DecodingError`.
    public init(contentsOf url: URL) throws {
        self = try JSONDecoder().decode(Filter.self, from: try Data(contentsOf: url))
    }

    /// Returns a picture with this filter. The same picture always gets the same grain.
    public func apply(to picture: Picture) -> Picture {
        let curve = ToneCurve(self.curve ?? [])
        let warmth = (temperature ?? 0) / 10_000
        var noise = Noise(seed: 1)
        return Picture(width: picture.width, height: picture.height) { x, y in
            let pixel = picture[x, y]
            var colour = [Double(pixel.red) / 255, Double(pixel.green) / 255, Double(pixel.blue) / 255]
            colour[0] *= 1 + warmth
            colour[2] *= 1 - warmth
            // Luminance by Rec. 709.
            let light = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
            let grain = (noise.next() - 0.5) * (self.grain ?? 0)
            let bytes = colour.map { channel in
                Picture.byte((curve.value(light + (channel - light) * (saturation ?? 1)) + grain) * 255)
            }
            return Picture.Pixel(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: pixel.alpha)
        }
    }
}

/// A curve through points, straight between them.
struct ToneCurve {
    private let points: [(input: Double, output: Double)]

    init(_ points: [[Double]]) {
        self.points = points.filter { $0.count == 2 }.map { ($0[0], $0[1]) }.sorted { $0.0 < $1.0 }
    }

    func value(_ input: Double) -> Double {
        guard let first = points.first, let last = points.last else { return input }
        if input <= first.input { return first.output }
        for (low, high) in zip(points, points.dropFirst()) where input <= high.input {
            guard high.input > low.input else { return high.output }
            let part = (input - low.input) / (high.input - low.input)
            return low.output + part * (high.output - low.output)
        }
        return last.output
    }
}

/// Numbers between 0 and 1, the same for the same seed.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed }

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 40) / Double(1 << 24)
    }
}
