/// A step of a version on its way through App Review.
package enum ReviewStep: String, Sendable, CaseIterable {
    /// The version is added to a submission.
    case addToSubmission
    case removeFromSubmission
    case submit
    /// The seller withdraws the submission.
    case withdraw
    case startReview
    /// The reviewer accepts the version, which goes live with the rest of its submission.
    case accept
    case approve
    case reject

    /// The states that the step starts from.
    package var from: Set<MetadataVersion.State> {
        switch self {
        case .addToSubmission: [.prepareForSubmission]
        case .removeFromSubmission: [.readyForReview]
        case .submit: [.prepareForSubmission, .readyForReview]
        case .withdraw: [.waitingForReview, .inReview, .accepted]
        case .startReview: [.waitingForReview]
        case .accept: [.waitingForReview, .inReview]
        case .approve, .reject: [.waitingForReview, .inReview, .accepted]
        }
    }

    package var to: MetadataVersion.State {
        switch self {
        case .addToSubmission: .readyForReview
        case .removeFromSubmission: .prepareForSubmission
        case .submit: .waitingForReview
        case .withdraw: .developerRejected
        case .startReview: .inReview
        case .accept: .accepted
        case .approve: .approved
        case .reject: .rejected
        }
    }
}

extension VersionedTexts {
    /// Moves the current version by a step. An approved version replaces the one that was approved before it.
    ///
    /// - Throws: ``CatalogEditError`` `.stateInvalid` if the step doesn't start from its state.
    package mutating func take(_ step: ReviewStep) throws {
        var versions = textVersions
        let last = versions.count - 1
        guard step.from.contains(versions[last].state) else {
            throw CatalogEditError(
                .stateInvalid,
                "Version \(versions[last].number) is not in valid state: it is \(versions[last].state.rawValue).")
        }
        if step == .approve {
            for index in versions.indices where versions[index].state == .approved {
                versions[index].state = .replacedWithNewVersion
            }
        }
        versions[last].state = step.to
        store(versions)
    }
}
