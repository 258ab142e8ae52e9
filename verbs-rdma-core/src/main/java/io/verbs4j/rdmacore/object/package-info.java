/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The handles of native objects. Each guards the C object behind it: nothing reaches it once it is destroyed. */
package io.verbs4j.rdmacore.object;
