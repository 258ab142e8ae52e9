/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Lanes on CPU threads, which use device code as a GPU would. */
package io.verbs4j.devicecode.lanes;
