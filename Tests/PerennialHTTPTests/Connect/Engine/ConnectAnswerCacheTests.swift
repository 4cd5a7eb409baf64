import Perennial
import TestSupport
import Testing

@testable import PerennialHTTP

/// Answers of the App Store Connect API that are kept since the catalog's last change.
struct ConnectAnswerCacheTests {
    private static let day = PacificDay(TestStore.opening)

    private static func version(_ revision: Int64, era: Int64 = 0) -> ConnectAnswerCache.Version {
        ConnectAnswerCache.Version(revision: revision, era: era, day: day)
    }

    private static func bytes(_ cache: ConnectAnswerCache, _ version: ConnectAnswerCache.Version) -> [UInt8]? {
        cache.answer("v1/apps", version, in: .sandbox)?.bytes
    }

    private static func insert(
        _ byte: UInt8, into cache: ConnectAnswerCache, _ version: ConnectAnswerCache.Version
    ) {
        cache.insert(ConnectAnswer(bytes: [byte]), for: "v1/apps", version, in: .sandbox)
    }

    @Test func `a slow reader of an older revision displaces nothing`() {
        let cache = ConnectAnswerCache()
        Self.insert(1, into: cache, Self.version(7))
        Self.insert(2, into: cache, Self.version(6))
        #expect(Self.bytes(cache, Self.version(7)) == [1])
        #expect(Self.bytes(cache, Self.version(6)) == nil)
    }

    @Test func `answers of a new era are kept, also of lower revisions`() {
        let cache = ConnectAnswerCache()
        Self.insert(1, into: cache, Self.version(7))
        Self.insert(2, into: cache, Self.version(5, era: 1))
        #expect(Self.bytes(cache, Self.version(5, era: 1)) == [2])
        #expect(Self.bytes(cache, Self.version(7)) == nil)
        // A slow reader of the era before.
        Self.insert(3, into: cache, Self.version(7))
        #expect(Self.bytes(cache, Self.version(5, era: 1)) == [2])
    }
}
