import AppStoreFormats
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sorts failures of a connection into the App Store Server API's results.
enum SendFailure {
    /// - Parameter hasAnswered: True if the head of an answer had arrived.
    static func result(of error: any Error, hasAnswered: Bool) -> SendAttemptResult {
        switch error {
        case let error as HTTPClientError: result(of: error, hasAnswered: hasAnswered)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .tlsIssue
        // An answer that ends before its announced length.
        case HTTPParserError.invalidEOFState where hasAnswered: .prematureClose
        case is HTTPParserError: .invalidResponse
        case is ForbiddenAddress, is HostResolver.UnknownHost: .socketIssue
        case let error as NIOConnectionError:
            error.connectionErrors.contains { isTimeout($0.error) } ? .timedOut : .socketIssue
        case let error as IOError: result(of: error, hasAnswered: hasAnswered)
        case let error as ChannelError: isTimeout(error) ? .timedOut : .socketIssue
        default: .other
        }
    }

    private static func isTimeout(_ error: any Error) -> Bool {
        if case .connectTimeout? = error as? ChannelError { return true }
        return false
    }

    private static func result(of error: HTTPClientError, hasAnswered: Bool) -> SendAttemptResult {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .getConnectionFromPoolTimeout: .timedOut
        case .tlsHandshakeTimeout: .tlsIssue
        case .remoteConnectionClosed: hasAnswered ? .prematureClose : .noResponse
        case .redirectCycleDetected, .redirectLimitReached: .circularRedirect
        case .invalidURL, .emptyHost, .missingSocketPath, .emptyScheme: .socketIssue
        default: .other
        }
    }

    /// A connection that is reset, and one that breaks under a write, ended while something was on its way.
    private static func result(of error: IOError, hasAnswered: Bool) -> SendAttemptResult {
        let isReset = error.errnoCode == connectionReset || error.errnoCode == brokenPipe
        return isReset ? .prematureClose : .socketIssue
    }

    #if canImport(Darwin)
        private static let connectionReset: Int32 = 54
    #else
        private static let connectionReset: Int32 = 104
    #endif
    private static let brokenPipe: Int32 = 32
}

/// The character sets in which an answer can be read.
enum AnswerCharset {
    /// IANA's names of what is in use, in lower case.
    private static let names: Set<String> = Set(
        ["utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be", "us-ascii", "ascii"]
            + (1...16).map { "iso-8859-\($0)" } + (1250...1258).map { "windows-\($0)" }
            + [
                "shift_jis", "shift-jis", "windows-31j", "euc-jp", "iso-2022-jp", "euc-kr", "iso-2022-kr",
                "ks_c_5601-1987",
            ]
            + ["gb2312", "gbk", "gb18030", "big5", "big5-hkscs", "koi8-r", "koi8-u", "macintosh", "tis-620", "latin1"])

    /// - Parameter contentType: The header's value; one without a charset is fine, and so is none.
    static func isKnown(in contentType: String?) -> Bool {
        guard let contentType, contentType.utf8.contains(UInt8(ascii: ";")) else { return true }
        for parameter in contentType.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }).lowercased() == "charset" else { continue }
            return names.contains(parts[1].filter { $0 != " " && $0 != "\"" && $0 != "'" }.lowercased())
        }
        return true
    }
}
