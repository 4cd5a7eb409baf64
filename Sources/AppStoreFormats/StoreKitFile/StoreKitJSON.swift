/// A JSON value as a StoreKit configuration file holds it.
///
/// Numbers keep the text they were written with, so that reading and writing a file changes no digit of them.
public enum StoreKitJSON: Hashable, Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number by its JSON text, such as `743722291.47019804`.
    case number(String)
    /// A string, its escapes replaced.
    case string(String)
    /// An array.
    case array([StoreKitJSON])
    /// An object.
    case object(Object)

    /// A JSON object. Its members are in the order in which Xcode writes them: by key, regardless of case.
    public struct Object: Hashable, Sendable {
        /// A member of an object.
        public struct Member: Hashable, Sendable {
            /// The name of the member.
            public var key: String
            /// The value of the member.
            public var value: StoreKitJSON

            /// Creates a member.
            public init(_ key: String, _ value: StoreKitJSON) {
                self.key = key
                self.value = value
            }
        }

        /// The members, sorted by key.
        public private(set) var members: [Member]

        /// An object of these members; of members with the same key the first counts.
        public init(_ members: [Member] = []) {
            var seen: Set<String> = []
            self.members = members.filter { seen.insert($0.key).inserted }.sorted { Self.precedes($0.key, $1.key) }
        }

        /// The value of a key; setting `nil` removes the key.
        public subscript(key: String) -> StoreKitJSON? {
            get { members.first { $0.key == key }?.value }
            set {
                let index = members.firstIndex { $0.key == key }
                switch (index, newValue) {
                case (let index?, let value?): members[index].value = value
                case (let index?, nil): members.remove(at: index)
                case (nil, let value?):
                    let position = members.firstIndex { Self.precedes(key, $0.key) } ?? members.endIndex
                    members.insert(Member(key, value), at: position)
                case (nil, nil): break
                }
            }
        }

        private static func precedes(_ one: String, _ other: String) -> Bool {
            let (folded, otherFolded) = (one.lowercased(), other.lowercased())
            return folded == otherFolded ? one < other : folded < otherFolded
        }
    }
}

// MARK: - Redaction

extension StoreKitJSON.Object: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key under which a file may hold the private half of its offer-signing key pair.
    static let secretKey = "privateKey"

    /// The object with private keys left out.
    public var redacted: StoreKitJSON.Object {
        var copy = self
        for index in copy.members.indices {
            if copy.members[index].key == Self.secretKey {
                copy.members[index].value = .string("<hidden>")
            } else {
                copy.members[index].value = copy.members[index].value.redacted
            }
        }
        return copy
    }

    /// The object as compact JSON, without private keys.
    public var description: String { StoreKitFileText.compact(.object(redacted)) }
    /// The same as ``description``, so that debuggers show no private keys.
    public var debugDescription: String { description }
    /// The members without private keys.
    public var customMirror: Mirror {
        Mirror(self, children: redacted.members.map { (label: $0.key, value: $0.value) }, displayStyle: .dictionary)
    }
}

extension StoreKitJSON: CustomStringConvertible, CustomDebugStringConvertible {
    fileprivate var redacted: StoreKitJSON {
        switch self {
        case .object(let object): .object(object.redacted)
        case .array(let elements): .array(elements.map(\.redacted))
        default: self
        }
    }

    /// The value as compact JSON, without private keys.
    public var description: String { StoreKitFileText.compact(redacted) }
    /// The same as ``description``, so that debuggers show no private keys.
    public var debugDescription: String { description }
}

// MARK: - Typed access

extension StoreKitJSON.Object {
    subscript(string key: String) -> String? {
        get { if case .string(let text) = self[key] { text } else { nil } }
        set { self[key] = newValue.map { .string($0) } }
    }

    subscript(bool key: String) -> Bool? {
        get { if case .bool(let value) = self[key] { value } else { nil } }
        set { self[key] = newValue.map { .bool($0) } }
    }

    subscript(integer key: String) -> Int? {
        get { if case .number(let text) = self[key] { Int(text) } else { nil } }
        set { self[key] = newValue.map { .number(String($0)) } }
    }

    subscript(double key: String) -> Double? {
        get { if case .number(let text) = self[key] { Double(text) } else { nil } }
        set { self[key] = newValue.map { .number("\($0)") } }
    }

    subscript(strings key: String) -> [String] {
        get {
            guard case .array(let elements) = self[key] else { return [] }
            return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        set { self[key] = .array(newValue.map { .string($0) }) }
    }

    subscript<Value: StoreKitFileValue>(value key: String) -> Value? {
        get { if case .object(let fields) = self[key] { Value(fields: fields) } else { nil } }
        set { self[key] = newValue.map { .object($0.fields) } }
    }

    subscript<Value: StoreKitFileValue>(values key: String) -> [Value] {
        get {
            guard case .array(let elements) = self[key] else { return [] }
            return elements.compactMap { if case .object(let fields) = $0 { Value(fields: fields) } else { nil } }
        }
        set { self[key] = .array(newValue.map { .object($0.fields) }) }
    }
}
