/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Registered memory, and windows of it that peers may use. */
package io.verbs4j.bulk.memory;
