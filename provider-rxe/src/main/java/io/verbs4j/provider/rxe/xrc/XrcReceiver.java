/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.provider.rxe.memory.MemoryKeys;

/** The receiving queue pair, of this process or another, as an inbox needs it. */
interface XrcReceiver {
    /** Its number. */
    int qpNum();

    /** What the remote side may do. */
    int accessFlags();

    /** Path MTU in bytes. */
    int mtu();

    /** The keys of this process's device. */
    MemoryKeys keys();
}
