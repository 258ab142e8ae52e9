/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Registered memory by key, and what keeps it registered while it is in use. */
package io.verbs4j.rdmacore.memory;
