/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Checks what the thread at the other end, and a device, see of EFA's rings. */
package io.verbs4j.provider.efa.ring;
