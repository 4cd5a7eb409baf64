/// A sealed file that is read once, as soon as it can be, and then only written.
struct LoadedFile<Value: Codable & Sendable>: Sendable {
    private let name: String
    private var number: UInt64 = 0
    /// `nil` where the device has no key and none can be made: nothing is kept then.
    private var file: SealedFile<Value>?
    /// Whether it is known what the file says.
    private(set) var isLoaded = false

    init(_ name: String) {
        self.name = name
    }

    /// Reads the file.
    ///
    /// - Returns: What is in it; `nil` where it can't be read now. It must not be written then.
    mutating func load(from storage: SealedStorage) -> SealedFile<Value>.Reading? {
        do {
            file = try storage.file(name, of: Value.self)
        } catch {
            return nil
        }
        let (reading, number) = file?.read() ?? (.nothing, 0)
        if case .unreadable = reading { return nil }
        self.number = number
        isLoaded = true
        return reading
    }

    mutating func save(_ value: Value) throws {
        guard isLoaded else { throw StorageError(.other, path: name, reason: "the file can't be read now") }
        guard let file else {
            throw StorageError(.other, path: name, reason: "the device's key can't be made")
        }
        // The number grows even where writing fails: it may have failed after the number was written.
        number += 1
        try file.write(value, number: number)
    }
}
