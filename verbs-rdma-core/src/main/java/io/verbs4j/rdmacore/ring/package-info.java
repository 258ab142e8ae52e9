/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Shared parts of queues that Java and a device access: posting to them, and reading their completions. */
package io.verbs4j.rdmacore.ring;
