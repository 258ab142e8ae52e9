/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.bulk.connect;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;

/** A peer whose device supports only datagrams was asked for a reliable connection. */
public final class DatagramsWantedException extends VerbsException {
    private static final long serialVersionUID = 1;

    DatagramsWantedException(String peer) {
        super(
                Errno.EPROTO,
                "bulk_connect",
                "the device of " + peer
                        + " supports only datagrams, and the device of this side supports none; use another one");
    }
}
