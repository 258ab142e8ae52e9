/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The handles of native objects. Each guards the C object behind it: no call reaches it after its destruction. */
package io.verbs4j.rdmacore.object;
