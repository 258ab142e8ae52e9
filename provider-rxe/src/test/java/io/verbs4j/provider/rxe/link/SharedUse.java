/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import io.verbs4j.provider.rxe.share.SystemUse;

/** The system calls by which processes share objects, for tests of other packages. */
public final class SharedUse {
    private SharedUse() {}

    /** Starts using them. */
    public static SystemUse begin() {
        return LinuxUse.begin("test");
    }
}
