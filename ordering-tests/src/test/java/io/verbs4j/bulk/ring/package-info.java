/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Checks what the two sides of a bulk ring see of each other's stores. */
package io.verbs4j.bulk.ring;
