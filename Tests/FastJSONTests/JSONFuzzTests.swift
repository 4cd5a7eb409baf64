import Foundation
import TestRandomness
import Testing

@testable import FastJSON

/// Compares the scanner and the writer with Foundation's on random texts from fixed seeds: the same texts are accepted,
/// and they have the same values.
struct JSONFuzzTests {
    /// The number of texts is larger where there is time: `make test-long`.
    private static let texts = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 1_000 : 30_000

    @Test(arguments: [1, 2] as [UInt64])
    func `random objects have the values that JSONDecoder reads`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        for _ in 0..<Self.texts {
            let bytes = Array(random.object(depth: 0).utf8)
            let decoded = try JSONDecoder().decode([String: JSONTree].self, from: Data(bytes))
            let scanned = try #require(Self.scan(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            #expect(Self.agree(scanned, decoded), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: [3, 4] as [UInt64])
    func `damaged objects are accepted where JSONSerialization accepts them`(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        var accepted = 0
        for _ in 0..<Self.texts {
            let bytes = random.damaged(Array(random.object(depth: 0).utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            let isAccepted = (try? JSONSerialization.jsonObject(with: Data(bytes))) is [String: Any]
            guard let scanned = Self.scan(bytes) else {
                // JSONSerialization accepts a comma behind the last element, and numbers that no double can hold.
                #expect(!isAccepted || text.contains(/,\s*[\]}]|[0-9][eE]\+?[0-9]{3}/), "\(text)")
                continue
            }
            accepted += 1
            #expect(isAccepted, "\(text)")
            // JSONDecoder refuses some numbers that JSON allows.
            guard let decoded = try? JSONDecoder().decode([String: JSONTree].self, from: Data(bytes)) else { continue }
            #expect(Self.agree(scanned, decoded), "\(text)")
        }
        #expect(accepted > Self.texts / 50, "some must stay valid, or the test tests nothing")
    }

    @Test(arguments: [5] as [UInt64]) func `random strings that are written are decoded to themselves`(seed: UInt64)
        throws
    {
        var random = RandomJSON(seed: seed)
        for _ in 0..<Self.texts {
            let strings = (0..<4).map { _ in random.scalars() }
            var json = JSONWriter(capacity: 8)
            json.beginObject()
            json.string("a", strings[0])
            json.beginArray("b")
            for string in strings.dropFirst() { json.element(string) }
            json.endArray()
            json.endObject()
            let decoded = try JSONDecoder().decode([String: JSONTree].self, from: Data(json.bytes))
            #expect(decoded == ["a": .string(strings[0]), "b": .array(strings.dropFirst().map { .string($0) })])
            let scanned = try #require(Self.scan(json.bytes))
            #expect(Self.agree(scanned, decoded))
        }
    }

    private static func scan(_ bytes: [UInt8]) -> [String: JSONScanner.Value]? {
        var scanner = JSONScanner(bytes)
        var members: [String: JSONScanner.Value] = [:]
        guard (try? scanner.scanObject({ members[$0] = $1 })) != nil else { return nil }
        return members
    }

    private static func agree(_ scanned: [String: JSONScanner.Value], _ decoded: [String: JSONTree]) -> Bool {
        scanned.count == decoded.count
            && scanned.allSatisfy { name, value in
                switch (value, decoded[name]) {
                case (.string(let one), .string(let other)): one == other
                case (.number(let one), .number(let other)): one == other
                case (.bool(let one), .bool(let other)): one == other
                case (.null, .null), (.nested, .object): true
                case (.strings(let one), .array(let other)): one.map { .string($0) } == other
                case (.nested, .array(let other)): other.isEmpty || !other.allSatisfy(\.isString)
                default: false
                }
            }
    }
}

/// A JSON value as `JSONDecoder` reads it.
private indirect enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let array = try? container.decode([JSONTree].self) {
            self = .array(array)
        } else if let object = try? container.decode([String: JSONTree].self) {
            self = .object(object)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    var isString: Bool { if case .string = self { true } else { false } }
}

/// Random JSON texts from a seed.
private struct RandomJSON {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "\t\r "]) }

    mutating func object(depth: Int) -> String {
        let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            space() + string() + space() + ":" + space() + value(depth: depth + 1) + space()
        }
        return space() + "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}" + space()
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 3 ? 6 : 8), using: &generator) {
        case 0: return pick(["true", "false"])
        case 1: return "null"
        case 2, 3: return number()
        case 4, 5: return string()
        case 6: return object(depth: depth)
        default:
            let onlyStrings = Bool.random(using: &generator)
            let elements = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                space() + (onlyStrings ? string() : value(depth: depth + 1)) + space()
            }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        }
    }

    private mutating func number() -> String {
        let digits = { (generator: inout SeededGenerator, count: Int) in
            (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        }
        let whole = pick(["0", "1", "42", "9007199254740993", "18446744073709551616", "1" + digits(&generator, 12)])
        let fraction = pick(["", "", ".0", "." + digits(&generator, 3), "." + digits(&generator, 20)])
        // JSONDecoder refuses a negative zero with an exponent.
        let exponent = whole == "0" ? "" : pick(["", "", "e3", "E-7", "e+20", "e-9"])
        return pick(["", "-"]) + whole + fraction + exponent
    }

    private mutating func string() -> String {
        let parts = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            pick([
                "a", "name", "ä", "💰", "\u{7f}", "\\n", "\\\"", "\\\\", "\\/", "\\b\\f\\r\\t", "\\u0041", "\\u00e4",
                "\\uD83D\\uDCB0", "\\u0000", "a longer text without any special character", "b", "c", " ",
            ])
        }
        return "\"" + parts.joined() + "\""
    }

    /// Random text of all planes, control characters among it.
    mutating func scalars() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...40, using: &generator) {
            let limit: UInt32 = pick([0x20, 0x80, 0x80, 0x80, 0x800, 0x11_0000])
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }

    /// Changes, inserts or removes a few bytes.
    mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        let syntax = Array("{}[]\",:\\/utfn01-+.eE \n".utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 1...255, using: &generator)
            case 1: bytes[index] = pick(syntax)
            case 2: bytes.insert(pick(syntax), at: index)
            case 3: bytes.remove(at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }
}
