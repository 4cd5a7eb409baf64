/// A name with its locale in a version of reviewable texts.
package protocol ListedText: Hashable, Sendable {
    /// A UUID in lower case.
    var id: String { get set }
    /// App Store Connect's code of the language.
    var locale: String { get }
    var name: String { get }
}

/// A version of reviewable texts.
package protocol TextVersion: Hashable, Sendable {
    associatedtype Text: ListedText
    /// Counted from 1.
    var number: Int { get }
    /// A UUID in lower case.
    var id: String { get }
    var state: MetadataVersion.State { get set }
    var localizations: [Text] { get set }

    init(number: Int, id: String, state: MetadataVersion.State, localizations: [Text])
}

extension ListingLocalization: ListedText {}
extension GroupLocalization: ListedText {}
extension MetadataVersion: TextVersion {}
extension GroupVersion: TextVersion {}

/// A product or a subscription group, whose texts are reviewed in versions.
///
/// One version at most is a draft or in review: the last. Before it are those that were reviewed.
package protocol VersionedTexts {
    associatedtype Version: TextVersion
    /// The versions, oldest first; never empty. A value without stored versions has one that follows from its state.
    var textVersions: [Version] { get }

    /// Stores versions.
    mutating func store(_ versions: [Version])
    /// Returns the UUID of a version.
    func versionID(_ number: Int) -> String
    /// Returns the UUID of a localization.
    func localizationID(version: Int, part: String) -> String
    /// Checks the lengths of a localization.
    /// - Throws: ``CatalogEditError``.
    static func check(_ text: Version.Text) throws
}

extension MetadataVersion.State {
    /// True if the version has been submitted, or belongs to a submission, and has no result yet.
    package var isInFlight: Bool {
        switch self {
        case .readyForReview, .waitingForReview, .inReview, .accepted: true
        case .prepareForSubmission, .approved, .rejected, .developerRejected, .replacedWithNewVersion: false
        }
    }

    /// The state of a localization in version 1 of its resource: PREPARE_FOR_SUBMISSION, WAITING_FOR_REVIEW, APPROVED or
    /// REJECTED.
    package var ofLocalization: String {
        switch self {
        case .prepareForSubmission, .readyForReview, .developerRejected: Self.prepareForSubmission.rawValue
        case .waitingForReview, .inReview, .accepted: Self.waitingForReview.rawValue
        case .approved, .replacedWithNewVersion: Self.approved.rawValue
        case .rejected: Self.rejected.rawValue
        }
    }
}

extension VersionedTexts {
    /// The newest version: the draft, if there is one.
    package var currentVersion: Version { textVersions[textVersions.count - 1] }

    /// The newest approved version, which customers see; `nil` before the first approval.
    package var approvedVersion: Version? { textVersions.last { $0.state == .approved } }

    /// The draft; `nil` without one.
    package var draft: Version? { currentVersion.state == .prepareForSubmission ? currentVersion : nil }

    package func version(_ id: String) -> Version? { textVersions.first { $0.id == id } }

    /// Returns a localization with its version.
    package func localization(_ id: String) -> (version: Version, text: Version.Text)? {
        for version in textVersions.reversed() {
            if let text = version.localizations.first(where: { $0.id == id }) { return (version, text) }
        }
        return nil
    }
}
