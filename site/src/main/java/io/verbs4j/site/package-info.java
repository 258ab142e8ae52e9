/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Builds static pages of the documentation, with a search. */
package io.verbs4j.site;
