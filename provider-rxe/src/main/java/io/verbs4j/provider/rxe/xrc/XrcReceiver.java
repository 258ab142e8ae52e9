/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.provider.rxe.memory.MemoryKeys;

/** The receiving queue pair, of this process or another, as an inbox uses it. */
interface XrcReceiver {
    /** {@return the queue pair's number} */
    int qpNum();

    /** {@return the access rights of the remote side} */
    int accessFlags();

    /** {@return the path MTU in bytes} */
    int mtu();

    /** {@return the keys of this process's device} */
    MemoryKeys keys();
}
