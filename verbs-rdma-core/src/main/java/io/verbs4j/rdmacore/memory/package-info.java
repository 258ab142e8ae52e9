/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Memory outside the Java heap: by address, for the length of one call, and for as long as somebody uses it. */
package io.verbs4j.rdmacore.memory;
