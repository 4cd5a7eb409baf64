/// A sentence of an inspection: a code with its arguments, so that it can be said in several languages.
package struct InspectionFinding: Sendable, Hashable, CustomStringConvertible {
    package let code: Code
    /// The arguments in the order of the template's `%1`, `%2` …
    package let arguments: [String]

    package init(_ code: Code, _ arguments: String...) {
        self.code = code
        self.arguments = arguments
    }

    /// The sentence in English.
    package var description: String { Self.fill(code.template, arguments) }

    /// Puts arguments in the place of `%1` to `%9`.
    package static func fill(_ template: String, _ arguments: [String]) -> String {
        var text = ""
        var characters = template.makeIterator()
        while let character = characters.next() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let digit = characters.next() else { break }
            let place = digit.wholeNumberValue ?? 0
            text += arguments.indices.contains(place - 1) ? arguments[place - 1] : ""
        }
        return text
    }

    package enum Code: String, Sendable, CaseIterable {
        // Layers.
        case lineBreaksRemoved, quotesRemoved, percentDecoded, escapesReplaced, bearerRemoved, labelRemoved
        case base64Decoded, hexadecimalDecoded, markRemoved, plistRead
        // Encoding.
        case encodingRight, encodingBinary, urlAlphabet, standardAlphabet, paddingMissing, paddingInJWS, encodedTwice
        case spacesForPlus, lastCharacterCut, lineBreaksInside
        // Structure and algorithm.
        case structureReceipt, structurePlist, structureJWS, structureCertificate, structureJSON, truncated
        case truncatedSignature, partsCount, malformed, xcodeForm, tooLarge, empty, unknownInput, algorithmRight
        case digestSHA1, algorithmWrong, criticalHeader, partsLeftOut, structureCurl, curlFile, curlEmpty, plistBinary
        // Certificates.
        case certificateCount, orderRight, orderWrong, certificateUnreadable, chainComplete, issuerMissing
        case issuerKeyWrong, signerMissing, leafIsAuthority, rootOfThisStore, rootOfOtherPurpose, rootOfApple
        case rootOfXcode, rootOfAnotherStore, rootUnknown, rootsMissing, markersThere, markersMissing
        case certificatesValid, certificateExpired, certificateNotYetValid, validityUnknown, notRevoked, revoked
        case revocationUnknown, verifierRefuses
        // Signature and contents.
        case signatureFits, signatureDoesNotFit, messageDigestWrong, signatureUnchecked, notSigned, contentsRead
        case contentsUnread, membersMissing, signedAt, signedInFuture, signingTimeMissing, environmentFits
        case environmentDiffers, receiptElsewhere, environmentXcode, environmentUnknown, bundleIDFits, bundleIDDiffers,
            appUnknown
        case bundleIDUnknown, deviceFits, deviceDiffers, deviceNotGiven, secretNeeded, secretMissing, secretGiven
        // Tokens and keys.
        case headerLacks, claimsThere, claimsMissing, audienceRight, audienceWrong, tokenValid, tokenExpired
        case signatureForm, tokenNotYetValid, tokenTooLong, timeInMilliseconds, keyKnown, keyUnknown, keyRevoked,
            keyOfOtherKind
        case keyOfOtherApp, issuerRight, issuerWrong, storeNeeded, privateKeyPasted, publicKeyPasted, keyMatches
        case keyMatchesNone, signatureAlone, signatureStale, secretRight, secretWrong
        // IDs and files.
        case found, notFound, foundElsewhere, storeKitImport
        case statusValid, statusMalformed, statusNotAuthentic, statusSecret, statusLater, statusExpired
        case statusSandbox, statusProduction, statusAccount, statusOther
    }
}
